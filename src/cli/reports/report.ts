/** What a long command says of its rounds and in the end: to people, to people who want the result only, or to programs. */
export interface Report<Round, Outcome> {
  round(round: Round): void
  /** A long step of a round, from 0 to 1. */
  working(share: number, step: string): void
  /** Takes what is shown only while the command runs off the screen. */
  clear(): void
  finish(outcome: Outcome): void
}

/** Says nothing before the end. */
export const untilTheEnd = { round() {}, working() {}, clear() {} }

/** Long steps of an engine that is opened before there is a report to show them. */
export interface LateProgress {
  report?: Pick<Report<never, never>, 'working'>
  readonly working: (share: number, step: string) => void
}

export function lateProgress(): LateProgress {
  const progress: LateProgress = { working: (share, step) => progress.report?.working(share, step) }
  return progress
}
