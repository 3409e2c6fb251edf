import { AlisError } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'
import type { Label } from '../core/record.ts'
import { quoted, readMessage } from '../programs/messages.ts'

/** What a reply is held against, and how it is shown if it does not pass. */
export interface LabelRules {
  /** Where the reply came from, as errors name it. */
  readonly where: string
  readonly classes: readonly string[]
  /** The least and the largest grade, where answers are numbers and not classes. */
  readonly range?: readonly [number, number] | undefined
  /** Takes secrets out of what is shown. */
  readonly hide?: (text: string) => string
}

export interface ReplyRules extends LabelRules {
  /** What a reply looks like, and what to do where it does not. */
  readonly shape: string
  readonly hint?: string
}

export interface Reply {
  readonly id: string | undefined
  readonly label: Label
}

/** Replies longer than this are no labels. */
export const largestReply = 1 << 20

/** A reply as it came over the wire: an object with a label and perhaps an id. A label of null is "cannot tell"; other fields are passed over. */
export function readReply(bytes: Uint8Array, rules: ReplyRules): Reply {
  const { where, hide } = rules
  const reply = readMessage(
    bytes,
    { ...rules, fail: oracleFailed },
    (message): message is { label: unknown } => 'label' in message,
  )
  const { id } = reply
  if (id !== undefined && typeof id !== 'string') {
    throw oracleFailed(`${where}: the id must come back as the string it was, got ${quoted(JSON.stringify(id), hide)}`)
  }
  return {
    id,
    label: rules.range ? requireGrade(reply.label, rules.range, rules) : requireClass(reply.label, rules),
  }
}

/** A label, if it is one: the name of a class to the letter, or null. */
export function requireClass(label: unknown, { where, classes, hide }: LabelRules): Label {
  if (label === null || (typeof label === 'string' && classes.includes(label))) return label
  const names = classes.slice(0, 10).map((name) => JSON.stringify(name))
  const rest = classes.length > 10 ? `, … (${classes.length} classes)` : ''
  const shown = typeof label === 'string' ? quoted(label, hide) : `${quoted(JSON.stringify(label), hide)}, no string`
  const meant = typeof label === 'string' ? didYouMean(label, classes) : undefined // asked, never guessed
  const orNull = 'A label of null says "cannot tell".'
  throw oracleFailed(
    `${where}: a label must be one of ${names.join(', ')}${rest}, got ${shown}`,
    meant ? `${meant} ${orNull}` : orNull,
  )
}

/** A grade, if it is one: a number or a numeral within the range, or null. Kept as it is written. */
function requireGrade(label: unknown, [least, most]: readonly [number, number], { where, hide }: LabelRules): Label {
  const isNumeral = typeof label === 'number' || (typeof label === 'string' && label.trim() !== '')
  if (label === null || (isNumeral && Number(label) >= least && Number(label) <= most))
    return label === null ? null : `${label}`.trim()
  throw oracleFailed(
    `${where}: a label must be a number from ${least} to ${most}, got ${quoted(JSON.stringify(label), hide)}`,
    'A label of null says "cannot tell".',
  )
}

/** A failure of an oracle. Every hint ends with how to go on. */
export function oracleFailed(message: string, hint?: string): AlisError {
  const goOn = 'In a project, what was answered is on record: run the same command again to go on.'
  return new AlisError('oracle-failed', message, hint ? `${hint} ${goOn}` : goOn)
}

/** How a service that answers is spoken of. */
export const serviceWords = { name: 'oracle', wanted: 'an answer is', token: 'ALIS_ORACLE_TOKEN', fail: oracleFailed }
