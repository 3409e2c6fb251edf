import type { AuditRound } from '../audit.ts'
import { type Certificate, limitsOfClaim } from '../certificates/certificate.ts'
import { unitOf } from '../metrics/metric-labels.ts'
import { escapeHtml, factList } from '../text/html.ts'
import { betweenText, estimateText, fromToText, levelText, withDecimals } from '../text/limits.ts'
import { ticksWithin } from '../text/ticks.ts'
import { count, percent } from '../text/wording.ts'

/** A certificate as a page one would print: the claim, its picture, what it rests on, and what it does not say. */
export function certificatePage(certificate: Certificate, rounds: readonly AuditRound[]): string {
  const { claim, metric, value, level, answers, unknown, pool, model, strategy, seed, seedChosen, seal } = certificate
  const writing = withDecimals(certificate, unitOf(certificate))
  const facts: [string, string][] = [
    [`Estimated ${metric}`, estimateText(value, certificate, writing)],
    [`${levelText(level)} interval`, `${fromToText(certificate, writing)}, valid at every look`],
    ['Answers', `${count(answers)}${unknown > 0 ? `, ${count(unknown)} of them "cannot tell"` : ''}`],
    ['Predictions', `${count(pool.size)}, ${pool.hash}`],
    ['Model', model],
    ['Strategy', strategy],
    ['Seed', `${seed}, ${seedChosen ? 'chosen by a person' : 'from the operating system'}`],
    ['Seal', seal],
  ]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Certificate: ${metric} ${fromToText(certificate, writing)}</title>
<style>
  :root { color-scheme: light dark; --ink: #1d2129; --paper: #fff; --faint: #667; --line: #d5d9e0; --accent: #2f5fb3 }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --paper: #15181d; --faint: #9aa1ad; --line: #333943; --accent: #8ab0f2 } }
  body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
  h1 { font-size: 1rem; color: var(--faint); font-weight: 500; letter-spacing: .04em; margin: 0 }
  .claim { font-size: 1.35rem; line-height: 1.4; margin: .5rem 0 2rem }
  svg { width: 100%; height: auto; overflow: visible } svg text { font-size: 12px; fill: var(--faint) }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 2rem 0 } dt { color: var(--faint) }
  dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums } li { margin: .2rem 0 }
  @media print { body { margin: 0 } }
</style>
<main>
<h1>ALIS certificate</h1>
<p class="claim">${escapeHtml(claim)}</p>
${picture(certificate, rounds)}
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

const width = 680
const height = 260
const left = 48

/** The interval closing in on the estimate, answer by answer. */
function picture({ metric }: Certificate, rounds: readonly AuditRound[]): string {
  const shown = rounds.map(({ interval }) => interval)
  const last = shown.at(-1)!
  // The first answers leave everything open; a scale that shows them would hide the end.
  const middle = shown[Math.floor(shown.length / 3)]!
  const top = Math.min(1, last.value + 1.2 * Math.max(middle.high - last.value, last.high - last.value))
  const bottom = Math.max(0, last.value - 1.2 * Math.max(last.value - middle.low, last.value - last.low))
  const x = (answers: number) => left + ((width - left) * answers) / last.answers
  const y = (share: number) => height - (height * (Math.min(top, Math.max(bottom, share)) - bottom)) / (top - bottom)
  const path = (points: readonly (readonly [number, number])[]) =>
    points.map(([a, s]) => `${x(a).toFixed(1)},${y(s).toFixed(1)}`).join(' ')
  const band = [
    ...shown.map(({ answers, high }) => [answers, high] as const),
    ...shown.toReversed().map(({ answers, low }) => [answers, low] as const),
  ]
  const ticks = ticksWithin(bottom, top, 4)
  const summary = `After ${count(last.answers)} answers the ${metric} lies ${betweenText(last, withDecimals(last, unitOf({ metric })))}.`
  return `<svg viewBox="0 -10 ${width} ${height + 45}" role="img" aria-label="${escapeHtml(summary)}">
${ticks.map((t) => `<line x1="${left}" x2="${width}" y1="${y(t)}" y2="${y(t)}" stroke="var(--line)"/><text x="${left - 8}" y="${y(t) + 4}" text-anchor="end">${percent(t)}</text>`).join('\n')}
<polygon points="${path(band)}" fill="var(--accent)" opacity=".18"/>
<polyline points="${path(shown.map(({ answers, value }) => [answers, value]))}" fill="none" stroke="var(--accent)" stroke-width="2"/>
<text x="${left}" y="${height + 24}">0</text>
<text x="${width}" y="${height + 24}" text-anchor="end">${count(last.answers)} answers</text>
</svg>`
}
