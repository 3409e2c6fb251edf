import { timeOfRound } from '../core/drand-rounds.ts'
import { identityOf } from '../core/hash.ts'
import { pick } from '../core/pick.ts'
import type { Columns } from './certificate.ts'
import type { Goal, RaceSpec } from './record.ts'
import type { AuditStrategy } from './rules.ts'
import type { QuestionSpec } from './spec.ts'

/** What an audit will be, fixed before the value is known that its seed is made from. To be published. */
export interface Commitment {
  readonly format: 'alis-commitment/1'
  readonly pool: { readonly size: number; readonly hash: string }
  /** Identity of the predictions and confidences. */
  readonly model: string
  readonly columns: Columns
  readonly classes: readonly string[]
  readonly questions: readonly QuestionSpec[]
  readonly race?: RaceSpec
  readonly goal: Goal
  readonly strategy: AuditStrategy
  readonly batch: number
  /** Where the value comes from. */
  readonly beacon: Beacon
  /** By the clock of the machine that made it. */
  readonly made: string
  /** SHA-256 of everything above: what is published, if not all of it. */
  readonly seal: string
}

/** A round of drand's network quicknet, or anything that is said in words: a draw of a lottery, the closing price of some day. */
export type Beacon =
  | { readonly kind: 'drand'; readonly round: number; readonly time: string }
  | { readonly kind: 'text'; readonly what: string }

/** A commitment and the value that came out afterwards: of drand, the signature of its round. */
export interface Committed {
  readonly commitment: Commitment
  readonly value: string
}

export function commitmentOf(content: Omit<Commitment, 'format' | 'seal'>): Commitment {
  const { race, ...rest } = content
  const ordered = pick(rest, 'pool', 'model', 'columns', 'classes', 'questions')
  const last = pick(rest, 'goal', 'strategy', 'batch', 'beacon', 'made')
  const unsealed = { format: 'alis-commitment/1' as const, ...ordered, ...(race && { race }), ...last }
  return { ...unsealed, seal: identityOf(unsealed) }
}

export const commitmentText = (commitment: Commitment): string => `${JSON.stringify(commitment, null, 2)}\n`

export const drandBeacon = (round: number): Beacon => ({ kind: 'drand', round, time: timeOfRound(round).toISOString() })

/** 53 bits of a hash of both: where one was fixed before the other was known, neither side has chosen it. */
export function seedFrom({ commitment, value }: Committed): number {
  const hash = identityOf(['alis seed', commitment.seal, value])
  return Number(BigInt(`0x${hash.slice('sha256:'.length, 'sha256:'.length + 16)}`) >> 11n)
}

/** "drand round 4,711, of 2026-11-19 22:47 UTC" */
export function beaconWords(beacon: Beacon): string {
  if (beacon.kind === 'text') return `“${beacon.what}”`
  return `drand round ${beacon.round}, of ${minuteOf(beacon.time)}`
}

interface Seeded {
  readonly seedChosen: boolean
  readonly committed?: Committed | undefined
}

/** What is known of the seed of a certificate. */
export function seedClaim({ seedChosen, committed }: Seeded): string {
  if (seedChosen) return 'A person chose the seed, and a seed that is chosen can be shopped for.'
  if (!committed)
    return 'The seed is only declared to be fresh: nothing shows that it is not the best of many that were tried (alis commit would).'
  const { beacon, seal } = committed.commitment
  const then = beacon.kind === 'drand' ? minuteOf(beacon.time) : 'the value was known'
  return `The seed was made from ${beaconWords(beacon)} and from commitment ${seal}: if this was public before ${then}, nobody chose the seed, and predictions, questions and goal are those of then.`
}

const minuteOf = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`

/** Where a seed came from, in a few words. */
export function seedSource({ seedChosen, committed }: Seeded): string {
  if (committed) return `from a commitment and ${beaconWords(committed.commitment.beacon)}`
  return seedChosen ? 'chosen by a person: a chosen seed can be shopped for' : 'from the operating system'
}
