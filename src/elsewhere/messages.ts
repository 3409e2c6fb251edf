import { AlisError } from '../core/errors.ts'
import type { OwnFit, OwnScores, ScoreKeeper } from '../learners/own-learner.ts'
import { isObject, messageText, quoted, readMessage, repeatedKey } from '../programs/messages.ts'

/** Scores in a file, as a program hands them over. */
export interface ScoresFile {
  readonly identity: string
  readonly file: string
}

/** A pool in files, as a program finds it. */
export interface FilePool extends ScoreKeeper<OwnScores | ScoresFile> {
  readonly pool: {
    readonly path: string
    /** The column that names the points; null where the number of a row does, from 1. */
    readonly id: string | null
    /** Columns that are not for the model: answers, and what was left out. */
    readonly hidden: readonly string[]
  }
  /** A path without an ending that a program may write to. */
  place(): Promise<string>
}

/** Replies longer than this belong in a file. */
export const largestScores = 1 << 26

/** `{"fit": 1, "pool": …, …}`: what a program or service is asked. `fit` numbers the question. */
export async function fitText(fit: number, { pool, place }: FilePool, request: OwnFit, seed: number): Promise<string> {
  const { path, id, hidden } = pool
  const { labels, classes, round } = request
  return messageText({ fit, pool: path, id, hidden, classes, labels, round, seed, write: await place() })
}

interface ReplyRules {
  readonly where: string
  readonly fit: number
  readonly hide?: (text: string) => string
}

const shape = '{"fit": …, "identity": …, "file": … or "probabilities": …}'

/** A reply as it came over the wire. Whether its scores can be is for the pool to say. */
export function readFit(bytes: Uint8Array, { where, fit, hide }: ReplyRules): OwnScores | ScoresFile {
  const rules = { where, shape, hint: 'Notes and logs belong on stderr.', fail: learnerFailed, ...(hide && { hide }) }
  const reply = readMessage(bytes, rules, isReply)
  if (reply.fit !== fit)
    throw learnerFailed(
      `${where}: a reply to fit ${fit} is required, got one to ${quoted(JSON.stringify(reply.fit) ?? 'none', hide)}`,
    )
  if (typeof reply.error === 'string')
    throw learnerFailed(`${where}: scores are required, got the error ${quoted(reply.error, hide)}`)
  const { identity, file, probabilities } = reply
  if (typeof identity !== 'string' || identity.trim() === '' || identity.length > 200 || /\p{Cc}/u.test(identity))
    throw learnerFailed(
      `${where}: an identity of 1 to 200 characters on one line is required, got ${quoted(JSON.stringify(identity) ?? 'none', hide)}`,
      'It goes on record with the model: its kind and settings, or a hash of its weights.',
    )
  if (typeof file === 'string') return { identity, file }
  const again = repeatedKey(new TextDecoder().decode(bytes))
  if (again !== undefined) throw learnerFailed(`${where}: every point is required once, got ${quoted(again, hide)} twice`)
  const said = new Map<string, readonly number[]>()
  for (const [id, chances] of Object.entries(probabilities ?? {})) {
    if (!Array.isArray(chances) || !chances.every((p) => typeof p === 'number')) {
      const got = quoted(JSON.stringify(chances), hide)
      throw learnerFailed(`${where}: a list of probabilities is required for ${quoted(id)}, got ${got}`)
    }
    said.set(id, chances)
  }
  return { identity, probabilities: said }
}

interface FitReply {
  readonly fit?: unknown
  readonly identity?: unknown
  readonly file?: unknown
  readonly probabilities?: Readonly<Record<string, unknown>>
  readonly error?: unknown
}

const isReply = (message: Record<string, unknown>): message is Record<string, unknown> & FitReply =>
  typeof message.error === 'string' || typeof message.file === 'string' || isObject(message.probabilities)

/** A failure of a learner. Every hint ends with how to go on. */
export function learnerFailed(message: string, hint?: string): AlisError {
  const goOn = 'In a project, every answer is on record: run the same command again to go on.'
  return new AlisError('learner-failed', message, hint ? `${hint} ${goOn}` : goOn)
}

/** A pool that blames the program or service for scores that cannot be. */
export function blaming<Pool extends FilePool>(pool: Pool, where: string): Pool {
  const keep: FilePool['keep'] = (scores, labels) =>
    pool.keep(scores, labels).catch((error) => {
      if (!(error instanceof AlisError) || error.code !== 'bad-input') throw error
      throw learnerFailed(`${where}: ${error.message}`, error.hint)
    })
  return { ...pool, keep }
}
