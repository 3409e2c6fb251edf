import { requireInput } from '../core/errors.ts'
import type { Signal } from '../core/signal.ts'
import { commandLearner, type OpenLearner } from './command-learner.ts'
import { httpLearner } from './http-learner.ts'
import type { FilePool } from './messages.ts'

/** Who fits the models, if not a learner of ours. Never on record: what a project says must not be run. */
export interface ElsewhereWish {
  readonly learnerCommand?: string | undefined
  readonly learnerUrl?: string | undefined
  /** Seconds that a fit may take. */
  readonly learnerTimeout?: number | undefined
}

export const isElsewhere = ({ learnerCommand, learnerUrl }: ElsewhereWish): boolean =>
  (learnerCommand ?? learnerUrl) !== undefined

export interface Fitting extends ElsewhereWish {
  readonly seed?: number
  readonly signal?: Signal | undefined
  /** Told what is waited for. */
  readonly working?: ((share: number, step: string) => void) | undefined
}

/** The program or service that fits the models of a pool. */
export function elsewhereLearner(pool: FilePool, wish: Fitting): OpenLearner {
  const { learnerCommand, learnerUrl, learnerTimeout, seed, signal, working } = wish
  const place = () => {
    working?.(0, 'fitting')
    return pool.place()
  }
  const options = {
    pool: { ...pool, place },
    signal,
    ...(seed !== undefined && { seed }),
    ...(learnerTimeout !== undefined && { timeout: 1000 * learnerTimeout }),
  }
  if (learnerCommand !== undefined) return commandLearner({ command: learnerCommand, ...options })
  requireInput(
    learnerUrl !== undefined,
    '--learner-command: the program that fits the models of this project is required, got none',
    'Name it with --learner-command, or a service with --learner-url. What it said so far is on record.',
  )
  const token = process.env.ALIS_LEARNER_TOKEN
  return httpLearner({ url: learnerUrl, ...options, ...(token && { headers: { authorization: `Bearer ${token}` } }) })
}
