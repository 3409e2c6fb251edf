import { count, counted, listed } from '../text/wording.ts'
import type { CertifiedRound } from './certificate.ts'

/** How an audit was carried out, by the record it is on. */
export interface Conduct {
  /** The chain of facts up to the beginning and the last answer that counts: how many there are, and the hash that they lead to. */
  readonly record: { readonly facts: number; readonly head: string }
  /** Facts that were there before the record was chained, of a project of an older release: nothing vouches for them. */
  readonly unchained?: number
  /** When the audit was begun, and when the last answer came. */
  readonly began: string
  readonly ended: string
  /** Who gave the answers that stand, in alphabetical order. */
  readonly people: readonly { readonly name: string; readonly answers: number }[]
  /** Audits of these predictions that this record says were begun before, those that were abandoned among them. */
  readonly before: number
}

/** What cannot be, whatever the record. */
export function conductFault(conduct: Conduct, rounds: readonly Pick<CertifiedRound, 'draws'>[]): string | undefined {
  const { record, unchained = 0, began, ended, people, before } = conduct
  const wanted = (path: string, what: string, got: unknown) => `conduct.${path}: ${what} is required, got ${JSON.stringify(got)}`
  if (!isCount(record?.facts) || record.facts < 1) return wanted('record.facts', 'a number of facts', record?.facts)
  if (!/^sha256:[0-9a-f]{64}$/.test(record.head)) return wanted('record.head', 'a SHA-256', record.head)
  if (!isCount(unchained) || unchained > record.facts)
    return wanted('unchained', `a number of at most ${record.facts} facts`, unchained)
  if (!isTime(began)) return wanted('began', 'a time', began)
  if (!isTime(ended)) return wanted('ended', 'a time', ended)
  if (!isCount(before)) return wanted('before', 'a number of audits', before)
  const arePeople =
    Array.isArray(people) && people.every(({ name, answers }) => typeof name === 'string' && isCount(answers) && answers > 0)
  if (!arePeople) return wanted('people', 'names and their numbers of answers', people)
  const answered = people.reduce((sum, { answers }) => sum + answers, 0)
  const drawn = new Set(rounds.flatMap(({ draws }) => draws.map(({ id }) => id))).size
  return answered <= drawn ? undefined : wanted('people', `at most ${drawn} answers`, answered)
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** As JavaScript writes it, and no other spelling. */
const isTime = (text: unknown) =>
  typeof text === 'string' && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text

/** The same for people, name by name. */
export function conductFacts(conduct: Conduct | undefined): [name: string, words: string][] {
  if (!conduct) return [['Record', 'none was kept: who answered, when, and after how many other audits, is not known']]
  const { record, unchained, began, ended, people, before } = conduct
  const older = unchained === undefined ? '' : `; the first ${count(unchained)} were there before they were chained`
  return [
    ['Answered by', people.length === 0 ? 'nobody' : listed(people.map(personWords), 'and')],
    ['Begun', minuteOf(began)],
    ['Last answer', minuteOf(ended)],
    ['Audits begun before', before === 0 ? 'none of these predictions on this record' : `${count(before)} of these predictions`],
    ['Record', `${counted(record.facts, 'fact')}${older}, ${record.head}`],
  ]
}

const personWords = ({ name, answers }: Conduct['people'][number]) =>
  `${name === 'anonymous' ? 'somebody without a name' : name} (${count(answers)})`

const minuteOf = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`
