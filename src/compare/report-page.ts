import { escapeHtml, factList } from '../text/html.ts'
import { type Limits, limitTexts } from '../text/limits.ts'
import { classNames, count, noEstimate, percent, seconds } from '../text/wording.ts'
import { comparedStrategy } from './plan.ts'
import { type CurveLine, curvesPlot, intervalPicture } from './report-plots.ts'
import { reportStyle } from './report-style.ts'
import { type Comparison, isBinary, type Result } from './summary.ts'
import { factorRange, isBaseline, verdictOf } from './verdict.ts'

export interface PageFacts {
  readonly comparison: Comparison
  readonly pool: string
  readonly points: number
  readonly testPoints: number
  readonly features: number
  readonly classes: readonly string[]
  /** What repeats the comparison. */
  readonly command: string
}

/** A comparison as one page: no network, no scripts; it prints, and it reads in the dark. */
export function reportPage(facts: PageFacts): string {
  const { comparison, pool, points, testPoints, features, classes, command } = facts
  const { results, splits, budget, start, batch } = comparison
  const base = results.find(isBaseline)!
  const ranked = [base, ...results.filter((result) => result !== base).sort((a, b) => b.factor - a.factor)]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(pool)}: strategies side by side</title>
<style>${reportStyle}</style>
</head>
<body>
<main>
<h1>Strategies side by side on ${escapeHtml(pool)}</h1>
<p class="quiet">${count(points)} points and ${count(testPoints)} to test on, ${count(features)} features, ${escapeHtml(classNames(classes))}. ${splits} seeds, ${count(budget)} labels each: ${count(start)} to start, then ${count(batch)} a round.</p>
<ul class="verdict">
${verdictOf(comparison)
  .map((sentence) => `<li>${escapeHtml(sentence)}</li>`)
  .join('\n')}
</ul>
<h2>How many labels each needs</h2>
<div class="card">${factorTable(ranked, budget)}</div>
<h2>Learning curves</h2>
<div class="card">${overview(ranked, comparison)}</div>
<h2>Strategy by strategy</h2>
${ranked
  .slice(1)
  .map((result, k) => section(result, base, k + 1))
  .join('\n')}
<h2>How to read this</h2>
<p>Every strategy starts from the same ${count(start)} uniformly drawn labels and is tested on the same rows; ${splits} seeds mean ${splits} times other rows to test on, another start and other draws. So strategies are compared in pairs, seed by seed.</p>
<p><b>Factor.</b> ${count(budget)} labels over those that a strategy needs to reach the error uniform draws have in the end: 2 is half the labels. Where it never gets there, the labels that uniform needs for <em>its</em> final error, over ${count(budget)}. Intervals and bands: the middle 95 % of 2,000 comparisons made of the same seeds drawn anew with replacement. They say how much luck there was in the seeds, on this pool; another pool may differ more.</p>
<p><b>Estimate.</b> A strategy that draws at random also measures: every round says, without bias, how wrong the model was on the points then unlabelled. Here the truth is known, so the error of these estimates is too. It is given as its root mean square over that of uniform draws, the first tenth of the labels aside. One that does not draw at random has <em>no unbiased estimate</em>.</p>
<p><b>Area</b> under the curve of the error, uniform being 1: how good a strategy is all the way, not just in the end. Below 1 is better.</p>
<h2>Again, or further</h2>
<pre>${escapeHtml(command)}</pre>
<p>Every round of every run is in <a href="results.csv">results.csv</a>, beside this page. Equal seeds give equal results, whatever the machine and the number of threads; only the seconds differ.</p>
</main>
</body>
</html>
`
}

function factorTable(ranked: readonly Result[], budget: number): string {
  const hasPrecision = isBinary(ranked)
  const scale = [0.25, Math.max(4, ...ranked.map(({ high }) => 1.1 * high))] as const
  const rows = ranked.map((result) => {
    const { strategy, factor, low, high, logLossFactor, finalError, logLoss, averagePrecision, area } = result
    return [
      escapeHtml(strategy),
      factor.toFixed(2),
      isBaseline(result) ? 'by definition' : factorRange(result),
      isBaseline(result) ? '' : intervalPicture(low, factor, high, scale),
      percent(finalError, 2),
      logLoss.toFixed(3),
      logLossFactor.toFixed(2),
      ...(hasPrecision ? [averagePrecision?.toFixed(3) ?? ''] : []),
      area.toFixed(2),
    ]
  })
  const head = [
    'strategy',
    'factor',
    '95 % interval',
    `${scale[0]} to ${scale[1].toFixed(1)}, rule at 1`,
    'error',
    'log-loss',
    'by log-loss',
  ]
  const caption = `Times fewer labels than uniform draws for their error at ${count(budget)} labels, and how the models do there`
  return htmlTable(caption, [...head, ...(hasPrecision ? ['avg. precision'] : []), 'area'], rows)
}

function overview(ranked: readonly Result[], { best, budget }: Comparison): string {
  const lines = ranked.map(
    (result, style): CurveLine => ({
      name: result.strategy,
      curve: result.curve,
      part: isBaseline(result) ? 'base' : result.strategy === best ? 'lead' : 'other',
      hasBand: isBaseline(result) || result.strategy === best || ranked.length <= 3,
      style,
    }),
  )
  const lead = ranked.find(({ strategy }) => strategy === best)
  const base = ranked[0]!
  const summary = lead
    ? `With ${count(budget)} labels the mean test error is ${percent(lead.finalError)} by ${lead.strategy} and ${percent(base.finalError)} by uniform draws.`
    : `With ${count(budget)} labels the mean test error is ${percent(base.finalError)} by uniform draws.`
  const grid = base.curve.map(({ labels }, i) => [count(labels), ...ranked.map(({ curve }) => percent(curve[i]!.error, 2))])
  const table = htmlTable('Mean test error', ['labels', ...ranked.map(({ strategy }) => escapeHtml(strategy))], grid)
  const note = ranked.length > 3 ? ' Bands for uniform and the best only; every other is below, one by one.' : ''
  return figure(
    'Mean test error by labels',
    `${summary} Equal distances are equal ratios of the error.${note}`,
    curvesPlot(lines, summary),
    table,
  )
}

function section(result: Result, base: Result, style: number): string {
  const { strategy, curve, factor, logLossFactor, area, secondsPerRound, finalError } = result
  const lines: CurveLine[] = [
    { name: strategy, curve, part: 'lead', hasBand: true, style },
    { name: base.strategy, curve: base.curve, part: 'base', hasBand: true, style: 0 },
  ]
  const reference = references[strategy]
  const summary = `${strategy} ends at a mean test error of ${percent(finalError, 2)}, uniform draws at ${percent(base.finalError, 2)}.`
  const facts: [string, string][] = [
    ['Factor', `${factor.toFixed(2)} (${factorRange(result)}); by log-loss ${logLossFactor.toFixed(2)}`],
    ['Area under the curve', `${area.toFixed(2)} of uniform’s`],
    ['Unbiased estimate', estimateWords(result)],
    ['Time', `${seconds(secondsPerRound)} a round; uniform ${seconds(base.secondsPerRound)}`],
    ...(reference ? [['Reference', reference] as [string, string]] : []),
  ]
  const rows = curve.map(({ labels, error, ...own }, i) => [
    count(labels),
    percent(error, 2),
    errorRange(own),
    percent(base.curve[i]!.error, 2),
  ])
  const table = htmlTable(`Mean test error of ${strategy}`, ['labels', escapeHtml(strategy), '95 % interval', 'uniform'], rows)
  return `<section class="card">
<h3>${escapeHtml(strategy)}</h3>
<p class="quiet">${escapeHtml(comparedStrategy(strategy).summary)}.</p>
<dl>${factList(facts)}</dl>
${figure(`${strategy} beside uniform`, `${summary} Bands: 95 %.`, curvesPlot(lines, summary), table)}
</section>`
}

function errorRange(limits: Limits): string {
  const { low, high } = limitTexts(limits, { decimals: 2 })
  return `${low}–${high}`
}

function estimateWords({ estimateRmse, coverage }: Result): string {
  if (estimateRmse === null && coverage === null) return noEstimate
  const error = estimateRmse === null ? '' : `off by ${estimateRmse.toFixed(2)} times as much as uniform’s`
  const held = coverage === null ? 'it has no interval' : `${percent(coverage)} of its 95 % intervals held the truth`
  return [error, held].filter((text) => text !== '').join('; ')
}

function figure(title: string, summary: string, plot: string, table: string): string {
  return `<figure>
<figcaption><b>${escapeHtml(title)}</b><span class="quiet small">${escapeHtml(summary)}</span></figcaption>
${plot}
<details><summary>Show as a table</summary>${table}</details>
</figure>`
}

/** Where strategies come from, for those who want to read on. */
const references: Readonly<Partial<Record<string, string>>> = {
  uncertainty: 'Lewis & Gale 1994, A sequential algorithm for training text classifiers',
  paper: 'Pydi & Lokhande 2019, Active learning with importance sampling, Algorithm 1 to the letter',
  'paper-all': 'Pydi & Lokhande 2019, Active learning with importance sampling; every label kept',
  'paper-replacement': 'Pydi & Lokhande 2019, Active learning with importance sampling; drawn with replacement',
  iwal: 'Beygelzimer, Dasgupta & Langford 2009, Importance weighted active learning; Beygelzimer, Hsu, Langford & Zhang 2010, Agnostic active learning without constraints',
  'core-set': 'Sener & Savarese 2018, Active learning for convolutional neural networks: a core-set approach',
  bmdr: 'Wang & Ye 2015, Querying discriminative and representative samples for batch mode active learning',
}

/** A table with its head; cells are written as they are. */
function htmlTable(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) =>
    `<tr><th scope="row">${cells[0]}</th>${cells
      .slice(1)
      .map((cell) => `<td>${cell}</td>`)
      .join('')}</tr>`
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table><caption><span>${escapeHtml(caption)}</span></caption>
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(row).join('\n')}
</tbody></table></div>`
}
