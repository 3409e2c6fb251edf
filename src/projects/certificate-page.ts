import type { AuditRound } from '../audit.ts'
import { metricLabel, unitOf } from '../metrics/metric-labels.ts'
import { type Certificate, type CertifiedQuestion, limitsOfClaim } from '../questions/certificate.ts'
import { levelsText, stateText } from '../questions/words.ts'
import { escapeHtml, factList } from '../text/html.ts'
import { betweenText, estimateText, fromToText, levelText, withDecimals } from '../text/limits.ts'
import { ticksWithin } from '../text/ticks.ts'
import { count, percent, rounded, sentence } from '../text/wording.ts'

/** A certificate as a page one would print: the claim, its picture, what it rests on, and what it does not say. */
export function certificatePage(certificate: Certificate, rounds: readonly AuditRound[]): string {
  const { claim, questions, answers, unknown, pool, model, seed, seedChosen, seal } = certificate
  const facts: [string, string][] = [
    ...questions.slice(0, 1).flatMap(numbersOf),
    ['Answers', `${count(answers)}${unknown > 0 ? `, ${count(unknown)} of them "cannot tell"` : ''}`],
    ['Predictions', `${count(pool.size)}, ${pool.hash}`],
    ['Model', model],
    ['Strategy', [...new Set(certificate.rounds.map(({ strategy }) => strategy))].join(', ')],
    ['Seed', `${seed}, ${seedChosen ? 'chosen by a person' : 'from the operating system'}`],
    ['Seal', seal],
  ]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(titleOf(certificate))}</title>
<style>
  :root { color-scheme: light dark; --ink: #1d2129; --paper: #fff; --faint: #667; --line: #d5d9e0; --accent: #2f5fb3 }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --paper: #15181d; --faint: #9aa1ad; --line: #333943; --accent: #8ab0f2 } }
  body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
  h1 { font-size: 1rem; color: var(--faint); font-weight: 500; letter-spacing: .04em; margin: 0 }
  .claim { font-size: 1.35rem; line-height: 1.4; margin: .5rem 0 2rem }
  svg { width: 100%; height: auto; overflow: visible } svg text { font-size: 12px; fill: var(--faint) }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 2rem 0 } dt { color: var(--faint) }
  dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums } li { margin: .2rem 0 }
  table { border-collapse: collapse; width: 100%; margin: 0 0 2rem; font-variant-numeric: tabular-nums } caption { text-align: left; color: var(--faint) }
  th, td { text-align: left; font-weight: 400; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line) } thead th { color: var(--faint) }
  @media print { body { margin: 0 } }
</style>
<main>
<h1>ALIS certificate</h1>
<p class="claim">${escapeHtml(claim)}</p>
${questions.length > 1 ? table(questions) : ''}
${picture(rounds)}
<dl>
${factList(facts)}
</dl>
<h2>What it does not say</h2>
<ul>
${limitsOfClaim.map((text) => `<li>${escapeHtml(text)}</li>`).join('\n')}
</ul>
</main>
</html>
`
}

function titleOf({ questions: [first] }: Certificate): string {
  return first ? `Certificate: ${metricLabel(first.question)} ${limitsOf(first)}` : 'Certificate'
}

function numbersOf(first: CertifiedQuestion): [string, string][] {
  const { question, state, level } = first
  return [
    [`Estimated ${metricLabel(question)}`, estimateOf(first)],
    [`${levelText(level)} interval`, `${limitsOf(first)}, ${state === 'defined' ? 'valid at every look' : stateText(state)}`],
  ]
}

/** Every question with what is said of it. Levels are said once, above. */
function table(questions: readonly CertifiedQuestion[]): string {
  const isTogether = questions.some(({ together }) => together)
  const heads = ['Question', 'Estimate', 'Limits', ...(isTogether ? ['All at once'] : []), 'State']
  const rows = questions.map((asked) => [
    sentence(metricLabel(asked.question)),
    estimateOf(asked),
    limitsOf(asked),
    ...(isTogether ? [limitsOf({ ...asked, ...asked.together })] : []),
    stateText(asked.state),
  ])
  const cells = (row: readonly string[]) => row.map((text) => `<td>${escapeHtml(text)}</td>`).join('')
  return `<table>
<caption>${escapeHtml(levelsText(questions))}</caption>
<thead><tr>${heads.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}
</tbody>
</table>`
}

type Measured = Pick<CertifiedQuestion, 'question' | 'value' | 'low' | 'high'>

function estimateOf({ question, value, low, high }: Measured): string {
  if (value === null || low === null || high === null) return 'none'
  return estimateText(value, { low, high }, withDecimals({ low, high }, unitOf(question)))
}

function limitsOf({ question, low, high }: Measured): string {
  return low === null || high === null ? 'none' : fromToText({ low, high }, withDecimals({ low, high }, unitOf(question)))
}

const width = 680
const height = 260
const left = 48

interface Step {
  readonly answers: number
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The interval of the first question after each round; none while there is nothing to divide by. */
function stepsOf(rounds: readonly AuditRound[]): Step[] {
  return rounds.flatMap(({ questions: [first], answered }) => {
    const { value = null, low = null, high = null } = { ...first }
    return value === null || low === null || high === null ? [] : [{ answers: answered, value, low, high }]
  })
}

/** The interval of the first question closing in on the estimate, answer by answer. */
function picture(rounds: readonly AuditRound[]): string {
  const shown = stepsOf(rounds)
  const question = rounds[0]?.questions[0]?.question
  const last = shown.at(-1)
  if (!last || !question) return ''
  const unit = unitOf(question)
  // The first answers leave everything open; a scale that shows them would hide the end.
  const middle = shown[Math.floor(shown.length / 3)]!
  const reach = Math.max(middle.high - last.value, last.high - last.value, last.value - middle.low, last.value - last.low, 1e-6)
  const top = Math.min(Math.max(...shown.map(({ high }) => high)), last.value + 1.2 * reach)
  const bottom = Math.max(Math.min(...shown.map(({ low }) => low)), last.value - 1.2 * reach)
  if (top - bottom < 1e-9) return '' // known from the first answer on
  const x = (answers: number) => left + ((width - left) * answers) / Math.max(1, last.answers)
  const y = (value: number) => height - (height * (Math.min(top, Math.max(bottom, value)) - bottom)) / (top - bottom)
  const path = (points: readonly (readonly [number, number])[]) =>
    points.map(([a, s]) => `${x(a).toFixed(1)},${y(s).toFixed(1)}`).join(' ')
  const band = [
    ...shown.map(({ answers, high }) => [answers, high] as const),
    ...shown.toReversed().map(({ answers, low }) => [answers, low] as const),
  ]
  const ticks = ticksWithin(bottom, top, 4)
  const said = betweenText(last, withDecimals(last, unit))
  const summary = `After ${count(last.answers)} answers the ${metricLabel(question)} lies ${said}.`
  const tickText = (tick: number) => (unit === 'number' ? rounded(tick) : percent(tick))
  return `<svg viewBox="0 -10 ${width} ${height + 45}" role="img" aria-label="${escapeHtml(summary)}">
${ticks.map((t) => `<line x1="${left}" x2="${width}" y1="${y(t)}" y2="${y(t)}" stroke="var(--line)"/><text x="${left - 8}" y="${y(t) + 4}" text-anchor="end">${tickText(t)}</text>`).join('\n')}
<polygon points="${path(band)}" fill="var(--accent)" opacity=".18"/>
<polyline points="${path(shown.map(({ answers, value }) => [answers, value]))}" fill="none" stroke="var(--accent)" stroke-width="2"/>
<text x="${left}" y="${height + 24}">0</text>
<text x="${width}" y="${height + 24}" text-anchor="end">${count(last.answers)} answers</text>
</svg>`
}
