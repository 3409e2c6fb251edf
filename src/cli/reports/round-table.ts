import type { TestedRound } from '../../projects/run-loop.ts'
import { intervalTexts, limitTexts } from '../../text/limits.ts'
import { isTooEarly, surelyMeans } from '../../text/now.ts'
import { count, percent, rounded } from '../../text/wording.ts'
import { drawTable } from '../terminal/table.ts'
import { wantsColor } from '../terminal/width.ts'

const mostRows = 16

interface Column {
  readonly title: string
  readonly cell: (round: TestedRound) => string
}

/**
 * The rounds of a run as a table, with what its columns mean: all rounds, or every few of a long run, and always the last. `verbose`: with what each
 * round alone says of the model before it, and with the paper's bound.
 */
export function roundTable(rounds: readonly TestedRound[], { verbose = false } = {}): string {
  const step = Math.ceil(rounds.length / mostRows)
  const shown = rounds.filter((_, k) => k % step === 0 || k === rounds.length - 1)
  const hasTest = rounds.some(({ test }) => test)
  const columns = [...always, ...(hasTest ? [testError] : []), ...(verbose ? ofTheRoundAlone : [])]
  const table = drawTable({
    columns: columns.map(({ title }) => ({ title, align: 'right' })),
    rows: shown.map((round) => columns.map(({ cell }) => cell(round))),
    color: wantsColor(process.stdout),
  })
  const level = rounds.findLast(({ now }) => now)?.now?.level
  return [table, ...(level === undefined ? [] : nowNotes(level)), ...(verbose ? roundNotes : [])].join('\n')
}

const always: readonly Column[] = [
  { title: 'round', cell: ({ round }) => (round === 0 ? 'start' : `${round}`) },
  { title: 'labels', cell: ({ labels }) => count(labels) },
  { title: 'error now', cell: ({ now }) => (now ? intervalTexts(now, { decimals: 1 }).value : 'none') },
  { title: 'surely between', cell: ({ now }) => (now ? (isTooEarly(now) ? 'too early' : rangeOf(now.low, now.high)) : '–') },
]

const testError: Column = { title: 'test error', cell: ({ test }) => (test ? percent(test.error) : '') }

const ofTheRoundAlone: readonly Column[] = [
  { title: 'error before', cell: ({ estimate }) => (estimate ? percent(estimate.value) : 'none') },
  {
    title: '95 % interval',
    cell: ({ estimate }) =>
      estimate && estimate.low !== null && estimate.high !== null ? rangeOf(estimate.low, estimate.high) : '–',
  },
  { title: 'M / M uniform', cell: ({ bound }) => (bound ? bound.tightening.toFixed(3) : 'none') },
  { title: 'paper bound*', cell: ({ bound }) => (bound ? rounded(bound.value) : 'none') },
]

/** "0.7 – 12.5 %" */
function rangeOf(low: number, high: number): string {
  const texts = limitTexts({ low, high }, { decimals: 1 })
  return `${texts.low.replace(/ %$/, '')} – ${texts.high}`
}

const nowNotes = (level: number) => [
  'error now: of the model after that round, over all points nobody had answered by then, from all answers so far.',
  `surely: ${surelyMeans(level)}.`,
]

const roundNotes = [
  'error before: unbiased, about the model before that round and the points still unlabelled then; one round alone is noisy.',
  '95 % interval: from the answers of that round alone, so it is wide; larger batches narrow it.',
  '* true but not informative: the mean pseudo-loss alone is a smaller bound (docs/equations.md#bound).',
]
