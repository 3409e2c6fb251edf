import type { TableColumn } from '../../core/rows.ts'
import { listed } from '../../text/wording.ts'

/** A column, and what stands in its rows as far as they were looked at. */
export interface SeenColumn extends Pick<TableColumn, 'name' | 'kind' | 'distinct' | 'meanLength' | 'missing'> {
  /** Different values with how often each is there, the most frequent first; missing where there are many. */
  readonly values?: readonly { readonly value: string; readonly count: number }[] | undefined
  /** Least and largest number. */
  readonly range?: readonly [number, number] | undefined
}

/** What a column of predictions is for. */
export type PredictionRole = 'check' | 'confidence' | 'probability' | 'compare' | 'read' | 'apart' | 'id' | 'out'

/** What a file of predictions seems to be, why, and which column is what. */
export interface Recognised {
  readonly kind: 'predictions' | 'verdicts' | 'grades'
  /** Whether the file itself says so; otherwise it has to be chosen. */
  readonly isSure: boolean
  /** "Four columns hold the same four words, and one holds numbers from 0 to 1 that look like confidence." */
  readonly why: string
  readonly roles: Readonly<Record<string, PredictionRole>>
  /** Of verdicts: the one that means good. */
  readonly good?: string
}

const truthNames = /^(?:label|labels|class|classes|target|y|truth|gold|answer|answers|expected|human|person|annotator)$/i
const confidenceNames = /(?:conf|prob|score|certain|likel|(?:^|_)p$)/i
const verdictNames = /verdict|judg|pass|correct|approved?|outcome|result|grade|rating|eval/i
const predictionNames = /pred|model|gpt|llm|bert|claude|gemini|llama|mistral|svm|guess|auto|bot/i
const good = ['pass', 'passed', 'yes', 'good', 'correct', 'true', 'right', 'accept', 'accepted', 'ok']
const bad = ['fail', 'failed', 'no', 'bad', 'incorrect', 'false', 'wrong', 'reject', 'rejected', 'not ok']
const afterwards = /reason|rationale|explanation|comment|why/i
const personal =
  /^(?:from|to|sender|recipient|e-?mail|mail_?address|name|first_?name|last_?name|surname|author|customer|phone|telephone|mobile)$/i

const most = 50 // different values that a class may be one of

/** Whether a file looks like predictions to check, or like verdicts of a judge, or like neither; and what its columns would be. */
export function recognise(columns: readonly SeenColumn[], rows: number): Recognised {
  const texts = columns.filter((column) => column.kind === 'text' && isRead(column, rows))
  return (
    verdictsIn(columns, texts, rows) ??
    sameWordsIn(columns, rows) ??
    withConfidenceIn(columns, rows) ??
    probabilitiesIn(columns, rows) ??
    gradesIn(columns, texts, rows) ??
    unsure(columns, rows)
  )
}

/** Pass or fail, yes or no, beside a question and an answer. */
function verdictsIn(columns: readonly SeenColumn[], texts: readonly SeenColumn[], rows: number): Recognised | undefined {
  const verdict = columns.find((column) => !truthNames.test(column.name) && goodOf(column) !== undefined)
  const first = verdict && goodOf(verdict)
  if (!verdict || first === undefined || (texts.length < 2 && !verdictNames.test(verdict.name))) return undefined
  const names = verdict.values!.map(({ value }) => value)
  const beside =
    texts.length > 0
      ? `, and next to it ${texts.length === 1 ? 'stands' : 'stand'} ${listed(
          texts.map(({ name }) => name),
          'and',
        )}`
      : ''
  const why = `One column holds ${listed(names, 'and')}${beside}.`
  const others = columns.filter((column) => column !== verdict && goodOf(column) !== undefined && !truthNames.test(column.name))
  const confidence = confidenceIn(columns)
  return {
    kind: 'verdicts',
    isSure: true,
    why,
    good: first,
    roles: rolesBeside(columns, rows, {
      [verdict.name]: 'check',
      ...each(others, 'compare'),
      ...(confidence && { [confidence.name]: 'confidence' as const }),
    }),
  }
}

/** The verdict that means good, where a column holds nothing but verdicts. */
function goodOf({ values = [], missing }: SeenColumn): string | undefined {
  if (values.length < 2 || values.length > 3 || missing > 0) return undefined
  const among = (words: readonly string[]) => values.filter(({ value }) => words.includes(value.trim().toLowerCase()))
  const [well, badly] = [among(good), among(bad)]
  return well.length === 1 && badly.length >= 1 ? well[0]!.value : undefined
}

/** Two columns or more that hold the same few words. */
function sameWordsIn(columns: readonly SeenColumn[], rows: number): Recognised | undefined {
  const few = columns.filter(isFew)
  const alike = few
    .map((column) => few.filter((other) => other === column || areAlike(column, other)))
    .reduce<readonly SeenColumn[]>((largest, group) => (group.length > largest.length ? group : largest), [])
  const predicted = alike.filter(({ name }) => !truthNames.test(name))
  if (alike.length < 2 || predicted.length === 0) return undefined
  const confidence = confidenceIn(columns)
  const main = predicted.find((column) => confidence && prefixOf(column) === prefixOf(confidence)) ?? predicted[0]!
  const words = new Set(alike.flatMap(({ values }) => values!.map(({ value }) => value))).size
  return {
    kind: 'predictions',
    isSure: true,
    why: `${numeral(alike.length)} columns hold the same ${small(words)} words${confidence ? ', and one holds numbers from 0 to 1 that look like confidence' : ''}.`,
    roles: rolesBeside(columns, rows, {
      ...each(alike, 'out'),
      ...each(predicted, 'compare'),
      [main.name]: 'check',
      ...(confidence && { [confidence.name]: 'confidence' as const }),
    }),
  }
}

/** Few words in one column, and in another numbers that look like how sure it is. */
function withConfidenceIn(columns: readonly SeenColumn[], rows: number): Recognised | undefined {
  const confidence = confidenceIn(columns)
  const candidates = columns.filter((column) => isFew(column) && column !== confidence && !truthNames.test(column.name))
  const main =
    candidates.find((column) => confidence && prefixOf(column) === prefixOf(confidence)) ??
    candidates.find(({ name }) => predictionNames.test(name)) ??
    (candidates.length === 1 || confidence ? candidates[0] : undefined)
  if (!confidence || !main) return undefined
  return {
    kind: 'predictions',
    isSure: true,
    why: `The words in ${main.name} are few, and ${confidence.name} holds numbers from 0 to 1 that look like confidence.`,
    roles: rolesBeside(columns, rows, { [main.name]: 'check', [confidence.name]: 'confidence' }),
  }
}

/** Two columns or more of probabilities that are called like one another, and no column that says what is predicted. */
function probabilitiesIn(columns: readonly SeenColumn[], rows: number): Recognised | undefined {
  const shares = columns.filter((column) => isShare(column) && column.missing === 0)
  const numbers = columns.filter(({ kind }) => kind === 'number')
  const named = shares.filter(({ name }) => /^(?:p|prob|probability)[_ .-]/i.test(name))
  if (named.length < 2 || named.length < numbers.length - 1) return undefined
  return {
    kind: 'predictions',
    isSure: true,
    why: `${numeral(named.length)} columns hold numbers from 0 to 1 that look like the probabilities of classes.`,
    roles: rolesBeside(columns, rows, each(named, 'probability')),
  }
}

/** Whole grades beside a question and an answer. */
function gradesIn(columns: readonly SeenColumn[], texts: readonly SeenColumn[], rows: number): Recognised | undefined {
  const grade = columns.find(
    ({ kind, range, distinct, missing, name }) =>
      kind === 'number' && missing === 0 && distinct >= 2 && distinct <= 11 && verdictNames.test(name) && range && range[1] <= 10,
  )
  if (!grade || texts.length < 2) return undefined
  return {
    kind: 'grades',
    isSure: true,
    why: `One column holds grades from ${grade.range![0]} to ${grade.range![1]}, and next to it stand ${listed(
      texts.map(({ name }) => name),
      'and',
    )}.`,
    roles: rolesBeside(columns, rows, { [grade.name]: 'check' }),
  }
}

/** What an audit begins with once these are said to be predictions. */
function unsure(columns: readonly SeenColumn[], rows: number): Recognised {
  const few = columns.filter(isFew)
  const main =
    few.find(({ name }) => predictionNames.test(name)) ?? few.find(({ name }) => !truthNames.test(name)) ?? few[0] ?? columns[0]
  const roles = rolesBeside(columns, rows, main ? { [main.name]: 'check' } : {})
  return { kind: 'predictions', isSure: false, why: 'Nothing in the file says so by itself.', roles }
}

/** The roles of all columns, given those that were recognised. */
function rolesBeside(columns: readonly SeenColumn[], rows: number, known: Record<string, PredictionRole>) {
  const id = columns.find(({ name }) => name.toLowerCase() === 'id' && known[name] === undefined)
  const read = columns.some((column) => known[column.name] === undefined && column !== id && isRead(column, rows))
  const roleOf = (column: SeenColumn): PredictionRole => {
    const { name, distinct, kind, missing } = column
    if (known[name]) return known[name]
    if (column === id) return 'id'
    if (isRead(column, rows)) return 'read' // an answer to read is no answer of ours
    if (truthNames.test(name) || afterwards.test(name) || personal.test(name)) return 'out'
    if (kind === 'text' && distinct >= 2 && distinct <= 12 && missing === 0 && rows >= 8 * distinct) return 'apart'
    return read ? 'out' : 'read'
  }
  return Object.fromEntries(columns.map((column) => [column.name, roleOf(column)]))
}

/** Whether people are likely to read it: texts that differ, or pictures. */
function isRead({ name, kind, distinct, meanLength, missing }: SeenColumn, rows: number): boolean {
  if (personal.test(name) || afterwards.test(name)) return false
  return kind === 'text' && distinct > 0.5 * (rows - missing) && meanLength >= 8
}

/** Whether a column is of names, addresses or phone numbers of people: left out, and said so. */
export const isPersonal = (name: string, examples: readonly string[]): boolean =>
  personal.test(name) ||
  (examples.length > 0 &&
    examples.every((text) => /^\S+@\S+\.\S+$|^\+?[\d ()/-]{8,}$/.test(text.trim()) && /[@+() /-]/.test(text)) &&
    !examples.every((text) => day.test(text.trim())))

const day = /^\d{4}([-/])\d\d?\1\d\d?(?: .*)?$|^\d\d?([-/])\d\d?\2\d{4}(?: .*)?$/

const isFew = ({ kind, values = [], missing }: SeenColumn) => {
  const rows = values.reduce((sum, { count }) => sum + count, 0)
  return kind === 'text' && missing === 0 && values.length >= 2 && values.length <= most && rows >= 3 * values.length
}

const isShare = ({ kind, range, distinct }: SeenColumn) =>
  kind === 'number' && range !== undefined && range[0] >= 0 && range[1] <= 1 && distinct > 2

function confidenceIn(columns: readonly SeenColumn[]): SeenColumn | undefined {
  const shares = columns.filter((column) => isShare(column) && column.missing === 0)
  const numbers = columns.filter(({ kind }) => kind === 'number')
  return (
    shares.find(({ name }) => confidenceNames.test(name)) ?? (shares.length === 1 && numbers.length <= 2 ? shares[0] : undefined)
  )
}

/** Most of the words of one are words of the other. */
function areAlike(a: SeenColumn, b: SeenColumn): boolean {
  const words = new Set(a.values!.map(({ value }) => value))
  const shared = b.values!.filter(({ value }) => words.has(value)).length
  return shared >= 2 && shared >= 0.5 * Math.max(words.size, b.values!.length)
}

/** "gpt" of gpt_topic and gpt_score. */
const prefixOf = ({ name }: SeenColumn) => /^(.+?)[_ .-]/.exec(name)?.[1]

const each = (columns: readonly SeenColumn[], role: PredictionRole): Record<string, PredictionRole> =>
  Object.fromEntries(columns.map(({ name }) => [name, role]))

const numerals = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const small = (n: number) => numerals[n] || `${n}`
const numeral = (n: number) => small(n).replace(/^./, (letter) => letter.toUpperCase())
