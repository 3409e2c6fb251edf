import type { TestedRound } from '../../projects/run-loop.ts'
import { count, percent, rounded } from '../../text/wording.ts'
import { drawTable } from '../terminal/table.ts'

const mostRows = 16

/** The rounds of a run as a table for people: all of them, or every few of a long run, and always the last. */
export function roundTable(rounds: readonly TestedRound[], { color }: { readonly color: boolean }): string {
  const step = Math.ceil(rounds.length / mostRows)
  const shown = rounds.filter((_, k) => k % step === 0 || k === rounds.length - 1)
  const hasTest = rounds.some(({ test }) => test)
  return drawTable({
    columns: [
      { title: 'round', align: 'right' },
      { title: 'labels', align: 'right' },
      { title: 'estimated error', align: 'right' },
      { title: '95 % interval', align: 'right' },
      ...(hasTest ? [{ title: 'test error', align: 'right' as const }] : []),
      { title: 'M / M uniform', align: 'right' },
      { title: 'paper bound*', align: 'right' },
    ],
    rows: shown.map(({ round, labels, estimate, test, bound }) => [
      round === 0 ? 'start' : `${round}`,
      count(labels),
      estimate ? percent(estimate.value) : 'none',
      estimate && estimate.low !== null && estimate.high !== null ? `${percent(estimate.low)} – ${percent(estimate.high)}` : '–',
      ...(hasTest ? [test ? percent(test.error) : ''] : []),
      bound ? bound.tightening.toFixed(3) : 'none',
      bound ? rounded(bound.value) : 'none',
    ]),
    color,
  })
}

/** What the columns mean, under the table. */
export const tableNotes = [
  'estimated error: unbiased, about the model before that round and the points still unlabelled then; one round alone is noisy.',
  '95 % interval: from the answers of that round alone, so it is wide; larger batches narrow it.',
  '* true but not informative: the mean pseudo-loss alone is a smaller bound (docs/equations.md#bound).',
]
