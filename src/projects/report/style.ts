/** Light, dark and on paper. */
export const reportStyle = `
  :root { color-scheme: light dark; --ink: #1f2328; --quiet: #667077; --paper: #f6f5f1; --card: #fff; --line: #deddd6; --accent: #0c6a73; --area: #bfdde0; --wrong: 12 106 115 }
  @media (prefers-color-scheme: dark) { :root { --ink: #e7e9ea; --quiet: #9aa4aa; --paper: #14181a; --card: #1c2124; --line: #333a3e; --accent: #6fc3cb; --area: #20474c; --wrong: 111 195 203 } }
  * { box-sizing: border-box }
  body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
  main { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 4rem }
  .eyebrow, .note, .quiet, figcaption, .range { color: var(--quiet); font-size: .875rem }
  h1 { font-size: 1.5rem; font-weight: 500; line-height: 1.35; margin: .25rem 0 1.5rem; max-width: 48rem }
  h2 { font-size: 1.05rem; margin: 0 }
  section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem; margin: 0 0 1rem }
  .note { margin: .15rem 0 .75rem }
  .scroll { overflow-x: auto }
  table { border-collapse: collapse; width: 100% }
  th { text-align: start; font-weight: 600; padding: .5rem .75rem .5rem 0; vertical-align: middle }
  thead th { font-weight: 500; color: var(--quiet); font-size: .875rem }
  td { padding: .5rem .75rem .5rem 0; white-space: nowrap; vertical-align: middle }
  tbody tr { border-top: 1px solid var(--line) }
  .number { font-weight: 600; font-variant-numeric: tabular-nums; text-align: end }
  .number.quiet { font-weight: 400 }
  .range { font-variant-numeric: tabular-nums }
  .interval { width: 120px; height: 16px; display: block }
  .interval .axis, .band .grid { stroke: var(--line) }
  .interval .bar, .interval .cap { stroke: var(--accent); stroke-width: 2 }
  .interval .bar { stroke-width: 3; opacity: .45 }
  .interval .dot { fill: var(--accent) }
  figure { margin: 0 }
  .band { width: 100%; height: auto; overflow: visible }
  .band text { font-size: 12px; fill: var(--quiet) }
  .band .area { fill: var(--area) }
  .band .line { fill: none; stroke: var(--accent); stroke-width: 2 }
  .matrix td { text-align: center; padding: .4rem .6rem; border: 2px solid var(--card) }
  .matrix th[scope=col] { text-align: center; padding: .3rem .6rem }
  .matrix .wrong { background: rgb(var(--wrong) / var(--shade)) }
  .matrix .right { border: 1px solid var(--line) }
  .matrix small { display: block; color: var(--quiet) }
  .flag { background: var(--ink); color: var(--card); border-radius: 999px; padding: .1rem .5rem; font-size: .75rem }
  .errors { list-style: none; padding: 0; margin: 0 }
  .errors li { border-top: 1px solid var(--line); padding: .6rem 0; break-inside: avoid }
  .errors s { color: var(--quiet) }
  .fields { font-size: .875rem; overflow-wrap: anywhere }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: .75rem 0 0 }
  dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
  @media (max-width: 40rem) { dl { grid-template-columns: 1fr } dt { margin-top: .4rem } h1 { font-size: 1.2rem } .interval { display: none } .band text { font-size: 22px } }
  @media print { body { background: none } main { padding: 0 } section { break-inside: avoid; border-color: #bbb } #errors { break-inside: auto } .scroll { overflow: visible } body { font-size: 11px } th, td { padding-inline-end: .4rem } .interval { width: 70px } .matrix small { font-size: 8px } section { print-color-adjust: exact } }
`
