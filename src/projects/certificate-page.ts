import type { AuditRound } from '../audit.ts'
import { metricLabel, unitOf } from '../metrics/metric-labels.ts'
import { type Certificate, type CertifiedQuestion, limitsOfClaim } from '../questions/certificate.ts'
import { escapeHtml, factList } from '../text/html.ts'
import { betweenText, estimateText, fromToText, levelText, withDecimals } from '../text/limits.ts'
import { ticksWithin } from '../text/ticks.ts'
import { count, percent, rounded } from '../text/wording.ts'

/** A certificate as a page one would print: the claims, a picture of the first, what they rest on, and what they do not say. */
export function certificatePage(certificate: Certificate, rounds: readonly AuditRound[]): string {
  const { questions, answers, unknown, pool, model, seed, seedChosen, seal } = certificate
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
  .claim { font-size: 1.35rem; line-height: 1.4; margin: .5rem 0 2rem } .claim + .claim { font-size: 1rem; margin: -1rem 0 2rem }
  svg { width: 100%; height: auto; overflow: visible } svg text { font-size: 12px; fill: var(--faint) }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 2rem 0 } dt { color: var(--faint) }
  dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums } li { margin: .2rem 0 }
  @media print { body { margin: 0 } }
</style>
<main>
<h1>ALIS certificate</h1>
${(questions.length > 0 ? questions : [certificate]).map(({ claim }) => `<p class="claim">${escapeHtml(claim)}</p>`).join('\n')}
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
  if (!first) return 'Certificate'
  const { question, low, high } = first
  const limits =
    low === null || high === null ? 'not defined' : fromToText({ low, high }, withDecimals({ low, high }, unitOf(question)))
  return `Certificate: ${metricLabel(question)} ${limits}`
}

function numbersOf({ question, value, low, high, level }: CertifiedQuestion): [string, string][] {
  if (value === null || low === null || high === null) return []
  const writing = withDecimals({ low, high }, unitOf(question))
  return [
    [`Estimated ${metricLabel(question)}`, estimateText(value, { low, high }, writing)],
    [`${levelText(level)} interval`, `${fromToText({ low, high }, writing)}, valid at every look`],
  ]
}

const width = 680
const height = 260
const left = 48

/** The interval of the first question closing in on the estimate, answer by answer. */
function picture(rounds: readonly AuditRound[]): string {
  const shown = rounds.flatMap(({ questions: [first], answered }) => {
    const { value = null, low = null, high = null } = { ...first }
    return value === null || low === null || high === null ? [] : [{ answers: answered, value, low, high }]
  })
  const question = rounds[0]?.questions[0]?.question
  const last = shown.at(-1)
  if (!last || !question) return ''
  const unit = unitOf(question)
  const written = (x: number) => (unit === 'number' ? rounded(x) : percent(x))
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
  const summary = `After ${count(last.answers)} answers the ${metricLabel(question)} is ${betweenText(last, withDecimals(last, unit))}.`
  return `<svg viewBox="0 -10 ${width} ${height + 45}" role="img" aria-label="${escapeHtml(summary)}">
${ticks.map((t) => `<line x1="${left}" x2="${width}" y1="${y(t)}" y2="${y(t)}" stroke="var(--line)"/><text x="${left - 8}" y="${y(t) + 4}" text-anchor="end">${written(t)}</text>`).join('\n')}
<polygon points="${path(band)}" fill="var(--accent)" opacity=".18"/>
<polyline points="${path(shown.map(({ answers, value }) => [answers, value]))}" fill="none" stroke="var(--accent)" stroke-width="2"/>
<text x="${left}" y="${height + 24}">0</text>
<text x="${width}" y="${height + 24}" text-anchor="end">${count(last.answers)} answers</text>
</svg>`
}
