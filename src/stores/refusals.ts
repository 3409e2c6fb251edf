import { AlisError } from '../core/errors.ts'

/** What every store refuses, in the same words. */
export const refusals = {
  otherRun: (begun: string, given: string) =>
    new AlisError('bad-input', `run: must be continued as it was begun, ${begun}, got ${given}`),
  notGrown: (before: number, given: number) =>
    new AlisError('bad-input', `pool: can only grow, from ${before} points, got ${given}`),
  outOfOrder: (round: number, opened: number) =>
    new AlisError('store-failed', `round ${round}: rounds open one after another, got ${opened} so far`),
  stillOpen: (round: number, open: number) =>
    new AlisError(
      'store-failed',
      `round ${round}: the round before must be closed, got round ${open}, still open`,
      'Finish or close the open round first.',
    ),
  notOpened: (round: number, opened: number) =>
    new AlisError('not-drawn', `round ${round}: must have been opened, got ${opened} rounds`),
  notClosed: (round: number) =>
    new AlisError('bad-input', `revision: a closed round is required, got round ${round}, still open`),
  notAnswered: (round: number, id: string) =>
    new AlisError('not-drawn', `revision: a point answered in round ${round} is required, got ${JSON.stringify(id)}`),
  closed: (round: number) => new AlisError('round-closed', `round ${round}: must be open, got a closed one`),
  notDrawn: (round: number, id: string) =>
    new AlisError('not-drawn', `answer: a point drawn in round ${round} is required, got ${JSON.stringify(id)}`),
  notCut: (round: number, least: number, most: number, got: number) =>
    new AlisError(
      'bad-input',
      `round ${round}: a whole number of draws from ${least} to ${most} is required to end it after, got ${got}`,
      'No answer may be left out.',
    ),
}

interface CutRound {
  readonly round: number
  readonly draws: readonly { readonly id: string }[]
}

/** Refuses to end a round before a draw that has an answer. */
export function requireCut({ round, draws }: CutRound, answers: ReadonlyMap<string, unknown>, after: number | undefined): void {
  if (after === undefined) return
  const least = 1 + draws.findLastIndex(({ id }) => answers.has(id))
  const isFine = Number.isInteger(after) && after >= least && after <= draws.length
  if (!isFine) throw refusals.notCut(round, least, draws.length, after)
}
