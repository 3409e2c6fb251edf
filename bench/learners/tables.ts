import { meanOf, table } from '../which-strategy/page.ts'
import type { Curve } from './kept.ts'

/** What is compared: a learner and how it draws. */
export interface Contestant {
  readonly learner: string
  readonly draws: string
  readonly isPeer: boolean
}

export const titleOf = ({ learner, draws }: Pick<Contestant, 'learner' | 'draws'>) => `${learner}, ${draws}`

export type Measure = 'error' | 'logLoss'

/** Means over the seeds that all contestants have been through, by set and number of labels. */
export function summaryOf(curves: readonly Curve[], contestants: readonly Contestant[]) {
  const of = ({ learner, draws }: Contestant, set: string) =>
    curves.filter((curve) => curve.set === set && curve.learner === learner && curve.draws === draws)

  /** Undefined where a contestant has not been through a seed that others have, or no pool is large enough. An error counts as half of one at least. */
  function mean(contestant: Contestant, set: string, labels: number, measure: Measure): number | undefined {
    const own = of(contestant, set)
    const seeds = new Set(curves.filter((curve) => curve.set === set).map(({ seed }) => seed))
    const values = own.flatMap(({ points, tested }) =>
      points
        .filter((point) => point.labels === labels)
        .map((point) => Math.max(point[measure], measure === 'error' ? 0.5 / tested : 0)),
    )
    return values.length > 0 && values.length === seeds.size ? meanOf(values) : undefined
  }

  const peers = contestants.filter(({ isPeer, draws }) => isPeer && draws !== 'uniform')
  function best(
    set: string,
    labels: number,
    measure: Measure,
  ): { readonly value: number; readonly peer: Contestant } | undefined {
    const all = peers.flatMap((peer) => {
      const value = mean(peer, set, labels, measure)
      return value === undefined ? [] : [{ value, peer }]
    })
    return all.length > 0 && all.length === peersOn(set).length ? all.reduce((a, b) => (b.value < a.value ? b : a)) : undefined
  }
  const peersOn = (set: string) => peers.filter((peer) => of(peer, set).length > 0)

  /** Geometric mean over sets of what a contestant comes to over the best peer of each set. */
  function ratio(contestant: Contestant, sets: readonly string[], labels: number, measure: Measure): number | undefined {
    const logs = sets.flatMap((set) => {
      const [own, theirs] = [mean(contestant, set, labels, measure), best(set, labels, measure)]
      return own === undefined || !theirs ? [] : [Math.log(own / theirs.value)]
    })
    const possible = sets.filter((set) => best(set, labels, measure))
    return logs.length > 0 && logs.length === possible.length ? Math.exp(meanOf(logs)) : undefined
  }
  return { mean, best, ratio }
}

type Summary = ReturnType<typeof summaryOf>

/** Ratios to the best peer of each set, one line a contestant. */
export function ratioTable(
  summary: Summary,
  contestants: readonly Contestant[],
  sets: readonly string[],
  checkpoints: readonly number[],
): string {
  const cell = (value: number | undefined) => value?.toFixed(2) ?? ''
  const rows = contestants.map((each) => [
    titleOf(each),
    ...checkpoints.map((labels) => {
      const [error, logLoss] = [summary.ratio(each, sets, labels, 'error'), summary.ratio(each, sets, labels, 'logLoss')]
      return error === undefined ? '' : `${cell(error)} (${cell(logLoss)})`
    }),
  ])
  const count = (labels: number) => sets.filter((set) => summary.best(set, labels, 'error')).length
  return table(['learner, draws', ...checkpoints.map((labels) => `${labels} (${count(labels)} sets)`)], rows)
}

/** Errors in percent of some contestants on every set, and of the best peer of each. */
export function setTable(
  summary: Summary,
  shown: readonly Contestant[],
  sets: readonly string[],
  checkpoints: readonly number[],
): string {
  const percent = (value: number | undefined) => (value === undefined ? '' : (100 * value).toFixed(1))
  const rows = sets.flatMap((set) =>
    checkpoints.flatMap((labels) => {
      const best = summary.best(set, labels, 'error')
      if (!best) return []
      const own = shown.map((each) => percent(summary.mean(each, set, labels, 'error')))
      return [[set, `${labels}`, ...own, `${percent(best.value)} (${best.peer.learner})`]]
    }),
  )
  return table(['set', 'labels', ...shown.map(titleOf), 'best of theirs'], rows)
}

/** Seconds of the processor for whole runs, on average over all that were tested at so many labels. */
export function timeTable(curves: readonly Curve[], contestants: readonly Contestant[], checkpoints: readonly number[]): string {
  const rows = contestants.map((each) => [
    titleOf(each),
    ...checkpoints.map((labels) => {
      const points = curves
        .filter(({ learner, draws }) => learner === each.learner && draws === each.draws)
        .flatMap((curve) => curve.points.filter((point) => point.labels === labels))
      return points.length > 0 ? meanOf(points.map(({ seconds }) => seconds)).toFixed(1) : ''
    }),
  ])
  return table(['learner, draws', ...checkpoints.map((labels) => `s to ${labels}`)], rows)
}
