import type { Comparison, Result } from '../../src/compare/summary.ts'
import { isBaseline } from '../../src/compare/verdict.ts'
import { percent, seconds } from '../../src/text/wording.ts'
import type { DataSet } from './sets.ts'

/** The page with what stands between the two marks of a name put anew. */
export function withPart(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- results of ${name} -->`, `<!-- end of ${name} -->`]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the page must have the marks ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`
}

export const table = (head: readonly string[], rows: readonly (readonly string[])[]) => {
  const all = [head, ...rows]
  const widths = head.map((_, j) => Math.max(...all.map((row) => row[j]!.length)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, j) => cell.padEnd(widths[j]!)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const byFactor = (results: readonly Result[]) => results.toSorted((a, b) => b.factor - a.factor)

/** All of one set, the best first. */
export function setTable({ title }: DataSet, { results, splits, budget, batch, start, noise }: Comparison): string {
  const rows = byFactor(results).map((result) => [
    `\`${result.strategy}\``,
    isBaseline(result) ? '1' : result.factor.toFixed(2),
    isBaseline(result) ? '' : `${result.low.toFixed(2)}–${result.high.toFixed(2)}`,
    percent(result.finalError, 2),
    result.logLossFactor.toFixed(2),
    result.area.toFixed(2),
    result.estimateRmse?.toFixed(2) ?? 'none',
    result.coverage === null ? '' : percent(result.coverage, 0),
    seconds(result.secondsPerRound),
  ])
  const head = ['strategy', 'factor', '95 % interval', 'error', 'by log-loss', 'area', 'estimate', 'covered', 'a round']
  const about = `${title}. ${splits} seeds, ${budget} labels: ${start} to start, then ${batch} a round. Differences between factors under ${percent(noise, 0)} are noise.`
  return `${about}\n\n${table(head, rows)}`
}

interface Compared {
  readonly set: DataSet
  readonly comparison: Comparison
}

/** Factors of all sets side by side, and their geometric mean over the sets that every strategy can work on: others would not compare. */
export function overviewTable(compared: readonly Compared[]): string {
  const names = [...new Set(compared.flatMap(({ comparison }) => comparison.results.map(({ strategy }) => strategy)))]
  const of = ({ comparison }: Compared, name: string) => comparison.results.find(({ strategy }) => strategy === name)
  const common = compared.filter((each) => names.every((name) => of(each, name)))
  const left = compared.filter((each) => !common.includes(each)).map(({ set }) => set.name)
  const rows = names.map((name) => {
    const results = common.map((each) => of(each, name)!)
    const mean = Math.exp(meanOf(results.map(({ factor }) => Math.log(factor))))
    const spreads = results.map(({ estimateRmse }) => estimateRmse).filter((value) => value !== null)
    const spread = spreads.length === results.length ? meanOf(spreads).toFixed(2) : 'none'
    return { name, mean, cells: compared.map((each) => of(each, name)?.factor.toFixed(2) ?? '–'), spread }
  })
  rows.sort((a, b) => b.mean - a.mean)
  const without = left.length > 0 ? ` without ${left.join(', ')}` : ''
  return table(
    ['strategy', ...compared.map(({ set }) => set.name), `geometric mean${without}`, `estimate${without}`],
    rows.map(({ name, mean, cells, spread }) => [`\`${name}\``, ...cells, mean.toFixed(2), spread]),
  )
}

export const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
