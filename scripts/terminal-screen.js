// What a terminal shows of what is written to it, as far as `alis` writes: colours, lines that are written over, lines that scroll away.

/** Styles by the number that begins them, and what ends each. */
const styles = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan' }

export function terminalScreen(columns, rows) {
  const lines = [[]]
  let [row, column, style] = [0, 0, '']

  const feed = () => {
    row++
    column = 0
    if (row === lines.length) lines.push([])
  }
  const put = (glyph) => {
    if (column === columns) feed()
    lines[row][column++] = { glyph, style }
  }
  const print = (text) => {
    for (const glyph of text) {
      if (glyph === '\n') feed()
      else if (glyph === '\r') column = 0
      else put(glyph)
    }
  }
  const control = (sequence) => {
    const [, first, letter] = /^(\d*)([A-Za-z])$/.exec(sequence) ?? []
    const n = Number(first || 0)
    if (letter === 'm') style = styles[n] ?? ''
    else if (letter === 'A') row = Math.max(0, row - Math.max(1, n))
    else if (letter === 'G') column = Math.max(1, n) - 1
    else if (letter === 'K') lines[row].splice(n === 2 ? 0 : column)
    else if (letter === 'J') {
      lines.splice(row + 1)
      lines[row].splice(column)
    } else throw new Error(`terminal: a sequence that is known is required, got ${sequence}`)
  }

  const textOf = (line) => Array.from(line, (cell) => cell?.glyph ?? ' ').join('')
  return {
    write(text) {
      const [plain, ...controlled] = text.split('\u001b[')
      print(plain)
      for (const part of controlled) {
        const sequence = /^[\d;?]*[A-Za-z]/.exec(part)?.[0] ?? ''
        control(sequence)
        print(part.slice(sequence.length))
      }
    },
    /** Drops the first line that begins so, and all after it. */
    cutFrom(beginning) {
      const at = lines.findIndex((line) => textOf(line).startsWith(beginning))
      if (at >= 0) lines.splice(at)
    },
    text: () => lines.map(textOf).join('\n'),
    /** What is in view, a copy: by row, cells of a glyph and a style. */
    rows: () => lines.slice(-rows).map((line) => Array.from(line, (cell) => cell ?? { glyph: ' ', style: '' })),
  }
}
