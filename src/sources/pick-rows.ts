import { positionOf, read, type Source } from './batches.ts'
import { requireUnchanged } from './files.ts'

/** Some rows, each with the given columns as written. The file is read up to the last of them, and only their cells are looked at. */
export async function pickRows(source: Source, rows: readonly number[], names: readonly string[]): Promise<(string | null)[][]> {
  const positions = names.map((name) => positionOf(source, name))
  const picked = new Array<(string | null)[]>(rows.length).fill([])
  const inOrder = [...rows.keys()].sort((a, b) => rows[a]! - rows[b]!)
  let start = 0
  let next = 0
  for (const part of source.parts) {
    if (names.length === 0 || next === inOrder.length) break
    const texts = positions.map((position) => part.columns[position]!.text)
    for await (const chunk of read(source, part, texts)) {
      const end = start + chunk.rowCount
      for (; next < inOrder.length && rows[inOrder[next]!]! < end; next++) {
        const k = inOrder[next]!
        picked[k] = names.map((_, j) => chunk.getColumnVector(j).getItem(rows[k]! - start) as string | null)
      }
      start = end
      if (next === inOrder.length) break
    }
  }
  await requireUnchanged(source.files)
  return picked
}
