import { readFileSync } from 'node:fs'
import { AlisError, requireInput } from '../core/errors.ts'
import { pick } from '../core/pick.ts'
import { firstDifference } from '../questions/certificate.ts'
import type { Commitment, Committed } from '../questions/commitment.ts'
import { registered } from '../questions/rules.ts'
import type { AuditPlanned } from './audit-plan.ts'
import { beaconValue } from './beacon.ts'
import type { Predictions } from './predictions/predictions.ts'

/** What is fixed by a commitment. */
export function committable(
  { pool, poolHash, model, columns, frame }: Predictions,
  { questions, race, goal, strategy, batch }: AuditPlanned,
): Omit<Commitment, 'format' | 'seal' | 'beacon' | 'made'> {
  return {
    pool: { size: pool.size, hash: poolHash },
    model,
    columns,
    classes: frame.classes,
    questions: registered(questions, goal),
    ...(race && { race }),
    goal,
    strategy,
    batch,
  }
}

const hint = 'An audit is made as it was committed to, or without --commitment.'

/** Refuses an audit that is not the one committed to; `isBegun`: whether it goes on, for which goals and questions may be others. */
export function requireCommitted({ commitment }: Committed, planned: ReturnType<typeof committable>, isBegun: boolean): void {
  const fixed = ['pool', 'model', 'columns', 'classes', 'strategy', 'batch'] as const
  const wanted = isBegun ? pick(commitment, ...fixed) : pick(commitment, ...fixed, 'questions', 'race', 'goal')
  const given = isBegun ? pick(planned, ...fixed) : pick(planned, ...fixed, 'questions', 'race', 'goal')
  const difference = firstDifference(given, wanted)
  if (difference) throw new AlisError('bad-input', `commitment: ${difference}`, hint)
}

/** A commitment from its file, whole. */
export async function readCommitment(path: string): Promise<Commitment> {
  const { faultOfCommitment } = await import('../questions/commitment-fault.ts')
  const parsed = jsonIn(path)
  const isOne = typeof parsed === 'object' && parsed !== null && 'format' in parsed && parsed.format === 'alis-commitment/1'
  requireInput(isOne, `${path}: a commitment is required, got something else`, 'alis commit writes one.')
  const commitment = parsed as Commitment
  const fault = faultOfCommitment(commitment)
  requireInput(fault === undefined, `${path}: ${fault}`, 'It must be as alis commit wrote it.')
  return commitment
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    const got = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'nothing there' : (error as Error).message
    throw new AlisError('bad-input', `${path}: a commitment is required, got ${got}`, 'alis commit writes one.', { cause: error })
  }
}

export interface CommittedWishes {
  readonly commitment?: string
  readonly beacon?: string
  readonly drandUrl?: string
}

/** The commitment that was named, with the value that came out since; undefined if none was. */
export async function committedBy(
  { commitment: path, beacon, drandUrl }: CommittedWishes,
  signal: AbortSignal,
): Promise<Committed | undefined> {
  requireInput(beacon === undefined || path !== undefined, '--beacon: needs --commitment, got none')
  if (path === undefined) return undefined
  const { faultOfValue } = await import('../questions/commitment-fault.ts')
  const commitment = await readCommitment(path)
  const value = await beaconValue(commitment.beacon, { given: beacon, address: drandUrl, signal })
  const committed = { commitment, value }
  const fault = faultOfValue(committed)
  requireInput(fault === undefined, `${fault}`, 'Is it of this round, and of the network quicknet?')
  return committed
}
