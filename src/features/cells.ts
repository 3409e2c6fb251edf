import { requireInput } from '../core/errors.ts'
import type { Cells } from '../core/rows.ts'

/** A column to ask a source for, and how. */
export interface WantedColumn {
  readonly name: string
  readonly as: Cells['kind']
}

const wantedAs = { number: 'number', category: 'text', vector: 'vector', text: 'text' } as const

/** The columns that parts of a recipe are made of, and as what. */
export function wantedBy(parts: readonly { readonly column: string; readonly kind: keyof typeof wantedAs }[]): WantedColumn[] {
  return parts.map(({ column, kind }) => ({ name: column, as: wantedAs[kind] }))
}

/** The numbers of a column that holds numbers, or vectors of a given width. */
export function numericIn(
  { column, kind, width }: { readonly column: string; readonly kind: 'number' | 'vector'; readonly width: number },
  cells: Cells | undefined,
  firstRow: number,
): Float32Array {
  return kind === 'vector' ? vectorsIn(cells, column, firstRow, width) : numbersIn(cells, column, firstRow)
}

/** Refuses what is neither a number nor missing: one infinity would make NaN of every feature of its column. */
function numbersIn(cells: Cells | undefined, column: string, firstRow: number): Float32Array {
  const { values } = cellsAs('number', cells, column)
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i]) && !Number.isNaN(values[i]))
      refuse(column, 'a number must be finite', values[i]!, firstRow + i)
  return values
}

/** Vectors of a given width, each whole or missing. */
function vectorsIn(cells: Cells | undefined, column: string, firstRow: number, width: number): Float32Array {
  const vectors = cellsAs('vector', cells, column)
  requireInput(vectors.width === width, `${column}: every value must be a list of ${width} numbers, got ${vectors.width}`)
  const { values } = vectors
  for (let from = 0; from < values.length; from += width) {
    const isMissing = Number.isNaN(values[from])
    for (let k = from; k < from + width; k++)
      if (isMissing ? !Number.isNaN(values[k]) : !Number.isFinite(values[k]))
        refuse(column, 'every number of a list must be there and finite', values[isMissing ? from : k]!, firstRow + from / width)
  }
  return values
}

export function textsIn(cells: Cells | undefined, column: string): readonly (string | null)[] {
  return cellsAs('text', cells, column).values
}

function refuse(column: string, required: string, value: number, row: number): never {
  requireInput(
    false,
    `${column}: ${required}, got ${value} in row ${row + 1}`,
    `Mend it, or leave the column out with --ignore ${column}.`,
  )
}

/** The cells of a column, which must have come as they were asked for. Anything else is a bug, not bad input. */
function cellsAs<K extends Cells['kind']>(kind: K, cells: Cells | undefined, column: string): Extract<Cells, { kind: K }> {
  if (cells?.kind !== kind) throw new TypeError(`${column}: cells of kind ${kind} were asked for, got ${cells?.kind}`)
  return cells as Extract<Cells, { kind: K }>
}
