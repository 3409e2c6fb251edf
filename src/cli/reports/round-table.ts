import type { TestedRound } from '../../projects/run-loop.ts'
import { limitTexts } from '../../text/limits.ts'
import { count, percent, rounded } from '../../text/wording.ts'
import { drawTable } from '../terminal/table.ts'
import { wantsColor } from '../terminal/width.ts'

const mostRows = 16

/** The rounds of a run as a table, with what its columns mean: all rounds, or every few of a long run, and always the last. */
export function roundTable(rounds: readonly TestedRound[]): string {
  const step = Math.ceil(rounds.length / mostRows)
  const shown = rounds.filter((_, k) => k % step === 0 || k === rounds.length - 1)
  const hasTest = rounds.some(({ test }) => test)
  const table = drawTable({
    columns: [
      'round',
      'labels',
      'estimated error',
      '95 % interval',
      ...(hasTest ? ['test error'] : []),
      'M / M uniform',
      'paper bound*',
    ].map((title) => ({ title, align: 'right' })),
    rows: shown.map(({ round, labels, estimate, test, bound }) => [
      round === 0 ? 'start' : `${round}`,
      count(labels),
      estimate ? percent(estimate.value) : 'none',
      estimate && estimate.low !== null && estimate.high !== null ? rangeOf(estimate.low, estimate.high) : '–',
      ...(hasTest ? [test ? percent(test.error) : ''] : []),
      bound ? bound.tightening.toFixed(3) : 'none',
      bound ? rounded(bound.value) : 'none',
    ]),
    color: wantsColor(process.stdout),
  })
  return [table, ...notes].join('\n')
}

function rangeOf(low: number, high: number): string {
  const texts = limitTexts({ low, high }, { decimals: 1 })
  return `${texts.low} – ${texts.high}`
}

const notes = [
  'estimated error: unbiased, about the model before that round and the points still unlabelled then; one round alone is noisy.',
  '95 % interval: from the answers of that round alone, so it is wide; larger batches narrow it.',
  '* true but not informative: the mean pseudo-loss alone is a smaller bound (docs/equations.md#bound).',
]
