// A recording of a terminal as one SVG: no script, no font of its own; light and dark as the reader has it, and still where motion is not wanted.

const [cellWidth, cellHeight, margin] = [8.4, 18, 14]

/** `frames`: screens, each shown for so many seconds, again and again. The last one is what is seen where nothing moves, and said where nothing is seen. */
export function movingPicture(frames, { columns, rows, title }) {
  const [width, height] = [columns * cellWidth + 2 * margin, rows * cellHeight + 2 * margin]
  const all = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  let shown = 0
  const steps = frames.map(({ seconds }, k) => {
    const percent = ((100 * shown) / all).toFixed(2)
    shown += seconds
    return `${percent}%{transform:translateY(${-k * height}px)}`
  })
  const last = -(frames.length - 1) * height
  const drawn = new Map()
  const strip = frames.map(({ screen }, k) =>
    screen.map((row, line) => lineAt(row, k * height + margin + line * cellHeight, drawn)).join(''),
  )
  const said = frames
    .at(-1)
    .screen.map((row) =>
      row
        .map(({ glyph }) => glyph)
        .join('')
        .trimEnd(),
    )
    .join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
<desc>${escaped(said)}</desc>
<style>
:root{color-scheme:light dark;--paper:#fff;--ink:#1f2328;--dim:#656d76;--band:#d5dbe1;--line:#0969a2;--edge:#d0d7de}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--dim:#8b949e;--band:#2b323b;--line:#4fc3e8;--edge:#30363d}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:var(--ink)}
.bold{font-weight:700}.dim{fill:var(--dim)}.cyan{fill:var(--line)}.band{fill:var(--band)}
.frame{fill:none;stroke:var(--dim)}
.dots{fill:none;stroke:var(--line);stroke-width:2.6;stroke-linecap:round}
#film{animation:play ${all.toFixed(1)}s step-end infinite}
@keyframes play{${steps.join('')}}
@media(prefers-reduced-motion:reduce){#film{animation:none}}
</style>
<defs>${[...drawn].map(([picture, id]) => `<g id="${id}">${picture}</g>`).join('\n')}</defs>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6" fill="var(--paper)" stroke="var(--edge)"/>
<g id="film" transform="translate(0,${last})">${strip.join('\n')}</g>
</svg>
`
}

/** Equal lines are drawn once. */
function lineAt(row, y, drawn) {
  const picture = runsOf(row).map(drawRun).join('')
  if (picture === '') return ''
  const id = drawn.get(picture) ?? `l${drawn.size}`
  drawn.set(picture, id)
  return `<use href="#${id}" y="${y}"/>`
}

/** Where the lines of a glyph lead from its middle, in half cells. */
const [up, down, left, right] = ['v-1', 'v1', 'h-1', 'h1']
const frameEnds = { '│': [up, down], '┤': [up, down, left], '└': [up, right], '─': [left, right], '┬': [left, right, down] }

const isBraille = (glyph) => glyph >= '\u2800' && glyph <= '\u28ff'
const kindOf = ({ glyph }) => (glyph === '░' ? 'band' : isBraille(glyph) ? 'dots' : glyph in frameEnds ? 'frame' : 'text')

/** Cells next to each other that look alike; text of one style with the spaces in it. */
function runsOf(row) {
  const runs = []
  for (const [column, cell] of row.entries()) {
    const [kind, style] = [kindOf(cell), cell.style]
    const run = runs.at(-1)
    if (run && run.kind === kind && run.style === style) run.glyphs.push(cell.glyph)
    else runs.push({ kind, style, column, glyphs: [cell.glyph] })
  }
  return runs
}

/** Where it lies in cells, whatever font there is: text is stretched to its width, and what is no text is drawn. */
function drawRun({ kind, style, column, glyphs }) {
  const [x, width] = [margin + column * cellWidth, glyphs.length * cellWidth]
  if (kind === 'band') return `<rect class="band" x="${number(x)}" width="${number(width)}" height="${cellHeight}"/>`
  if (kind === 'dots') return `<path class="dots" d="${glyphs.map((glyph, k) => dotsOf(glyph, x + k * cellWidth)).join('')}"/>`
  if (kind === 'frame') return `<path class="frame" d="${glyphs.map((glyph, k) => frameOf(glyph, x + k * cellWidth)).join('')}"/>`
  const text = glyphs.join('')
  if (text.trim() === '') return ''
  const before = text.length - text.trimStart().length
  const own = text.trim()
  const place = `x="${number(x + before * cellWidth)}" y="13.5" textLength="${number(own.length * cellWidth)}" lengthAdjust="spacingAndGlyphs"`
  return `<text ${style ? `class="${style}" ` : ''}${place}>${escaped(own)}</text>`
}

function frameOf(glyph, x) {
  const reach = { h: cellWidth / 2, v: cellHeight / 2 }
  const ends = frameEnds[glyph].map((end) => `${end[0]}${number(reach[end[0]] * Number(end.slice(1)))}`)
  return ends.map((end) => `M${number(x + cellWidth / 2)} ${cellHeight / 2}${end}`).join('')
}

/** Dots by their bits: two columns of four, of which the last row came later. */
const dotPlaces = [0, 1, 2, 6, 3, 4, 5, 7].map((bit, k) => ({ bit, x: k < 4 ? 1 : 3, y: 1 + 2 * (k % 4) }))

function dotsOf(glyph, x) {
  const bits = glyph.codePointAt(0) - 0x2800
  const there = dotPlaces.filter(({ bit }) => bits & (1 << bit))
  return there.map((dot) => `M${number(x + (dot.x * cellWidth) / 4)} ${number((dot.y * cellHeight) / 8)}h0`).join('')
}

const number = (value) => `${Math.round(100 * value) / 100}`
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
