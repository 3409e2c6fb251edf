/** A grid of cells with 2 × 4 dots each; a cell has an owner, the series that drew in it. */
export interface Canvas {
  /** A straight line between two dots. A cell belongs to the owner that draws there last. */
  line(from: Dot, to: Dot, owner: number): void
  mark(at: Dot, glyph: string, owner: number): void
  /** What a cell shows, `undefined` where nothing is drawn. */
  cell(row: number, column: number): { glyph: string; owner: number } | undefined
}

export interface Dot {
  readonly x: number
  readonly y: number
}

/** Bits of the dots of a braille character, by row and column. */
const bits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
]

export function brailleCanvas(columns: number): Canvas {
  const cells = new Map<number, { dots: number; glyph?: string; owner: number }>()
  const cellAt = ({ x, y }: Dot, owner: number) => {
    const key = (y >> 2) * columns + (x >> 1)
    const found = cells.get(key)
    if (found?.owner === owner) return found
    const fresh = { dots: 0, owner }
    cells.set(key, fresh)
    return fresh
  }
  return {
    line(from, to, owner) {
      const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1)
      for (let k = 0; k <= steps; k++) {
        const dot = {
          x: Math.round(from.x + ((to.x - from.x) * k) / steps),
          y: Math.round(from.y + ((to.y - from.y) * k) / steps),
        }
        cellAt(dot, owner).dots |= bits[dot.y & 3]![dot.x & 1]!
      }
    },
    mark(at, glyph, owner) {
      Object.assign(cellAt(at, owner), { glyph })
    },
    cell(row, column) {
      const found = cells.get(row * columns + column)
      return found && { glyph: found.glyph ?? String.fromCodePoint(0x2800 + found.dots), owner: found.owner }
    },
  }
}
