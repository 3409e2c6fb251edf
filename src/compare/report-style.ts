/** Warm paper, ink, one accent; dark where the reader's system is; always light on paper. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --paper: #f7f6f2; --surface: #ffffff; --sunken: #eeece6; --ink: #1a1c1e; --ink-2: #4a4f54; --ink-3: #666b70;
  --line: #e3e0d8; --edge: #8b8e8c; --accent: #0b6670; --band: #bfdedf;
  --sans: -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, Inter, Cantarell, "Noto Sans", Lato, "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #131516; --surface: #1b1e1f; --sunken: #0e1011; --ink: #eceeeb; --ink-2: #b6bbba; --ink-3: #959b9b;
    --line: #2c3031; --edge: #757c7d; --accent: #6cc6ca; --band: #1f4c4f;
  }
}
*, *::before, *::after { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 .9375rem/1.5 var(--sans); font-variant-numeric: tabular-nums }
main { max-width: 816px; margin: 0 auto; padding: 48px 24px 64px }
h1 { font-size: 1.75rem; line-height: 1.2; font-weight: 600; letter-spacing: -.018em; margin: 0 0 8px; text-wrap: balance }
h2 { font-size: 1.0625rem; font-weight: 600; margin: 48px 0 12px }
h3 { font-size: .9375rem; font-weight: 600; margin: 0 }
p { margin: 0 0 8px; max-width: 68ch }
a { color: var(--accent); text-underline-offset: 3px }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.quiet { color: var(--ink-2) } .small { font-size: .8125rem }
.verdict { font-size: 1.0625rem; margin: 24px 0 0; padding: 0; list-style: none; max-width: 68ch } .verdict li { margin: 0 0 6px }
.verdict li:first-child { font-weight: 600 }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 14px; padding: 24px; margin: 0 0 24px; break-inside: avoid }
figure { margin: 0 } figcaption { margin: 0 0 12px } figcaption b { font-weight: 600; display: block }
svg { display: block; max-width: 100%; height: auto; overflow: visible }
svg text { font: 12px var(--sans); fill: var(--ink-3) } svg text.name.lead { fill: var(--accent); font-weight: 600 } svg text.name.other { fill: var(--ink-2) }
.grid { stroke: var(--line) } .axis { stroke: var(--edge) }
.curve { fill: none; stroke-width: 1.5; stroke: var(--ink-2) } .curve.lead { stroke: var(--accent); stroke-width: 2.5 } .curve.base { stroke: var(--ink-3); stroke-width: 2 }
.band { fill: var(--ink-3); opacity: .16 } .band.lead { fill: var(--band); opacity: .75 }
.mark { fill: var(--ink-2); stroke: var(--surface); stroke-width: 1 } .mark.lead { fill: var(--accent) } .mark.base { fill: var(--ink-3) }
.mark.hollow { fill: var(--surface); stroke: var(--ink-2); stroke-width: 1.5 } .mark.hollow.lead { stroke: var(--accent) } .mark.hollow.base { stroke: var(--ink-3) }
.interval { overflow: visible; min-width: 120px } .interval line, .interval path { stroke: var(--accent); stroke-width: 2; fill: none } .interval circle { fill: var(--accent) } .interval .one { stroke: var(--edge); stroke-width: 1; stroke-dasharray: 2 2 }
.narrow { display: none }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .8125rem }
caption { text-align: left; color: var(--ink-2); padding: 0 0 8px; caption-side: top } caption span { display: block; max-width: calc(100vw - 48px); position: sticky; left: 0 }
th, td { text-align: right; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: middle } th { font-weight: 500; color: var(--ink-2) }
th:first-child { text-align: left; color: var(--ink) } thead th:first-child { color: var(--ink-2) } td:last-child, th:last-child { padding-right: 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 24px; margin: 12px 0 20px; font-size: .8125rem } dt { color: var(--ink-2) } dd { margin: 0; overflow-wrap: anywhere }
details { margin: 12px 0 0 } summary { cursor: pointer; color: var(--accent); font-size: .8125rem; min-height: 44px; display: flex; align-items: center }
summary::before { content: "+"; width: 1em } details[open] summary::before { content: "–" }
pre { font: .8125rem/1.5 var(--mono); background: var(--sunken); border-radius: 8px; padding: 12px 16px; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 12px }
@media (max-width: 620px) { main { padding: 24px 12px 48px } .card { padding: 16px 11px } .wide { display: none } .narrow { display: block } dl { grid-template-columns: 1fr; gap: 0 } dd { margin: 0 0 8px } }
@media print {
  @page { size: A4; margin: 16mm }
  :root { color-scheme: light; --paper: #fff } body { font-size: 10pt } main { padding: 0; max-width: none } details { display: none } .card { padding: 12px 16px }
  .wide { display: block } .wide svg { max-height: 62mm } .narrow { display: none } h2 { break-after: avoid } .scroll { overflow: visible } th, td { padding: 4px 6px 4px 0 } .interval { min-width: 0; width: 120px }
  * { print-color-adjust: exact }
}
`
