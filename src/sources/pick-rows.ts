import { chunksOf, positionOf, type Source } from './batches.ts'
import { requireUnchanged } from './files.ts'

/** Some rows, each with the given columns as written. The files are read up to the last of them, and only their cells are decoded. */
export async function pickRows(source: Source, rows: readonly number[], names: readonly string[]): Promise<(string | null)[][]> {
  const positions = names.map((name) => positionOf(source, name))
  const picked = new Array<(string | null)[]>(rows.length).fill([])
  const inOrder = names.length === 0 ? [] : [...rows.keys()].sort((a, b) => rows[a]! - rows[b]!)
  let next = 0
  if (inOrder.length > 0)
    for await (const { chunk, start } of chunksOf(source, ({ columns }) => positions.map((i) => columns[i]!.text))) {
      for (; next < inOrder.length && rows[inOrder[next]!]! < start + chunk.rowCount; next++) {
        const k = inOrder[next]!
        picked[k] = names.map((_, j) => chunk.getColumnVector(j).getItem(rows[k]! - start) as string | null)
      }
      if (next === inOrder.length) break
    }
  await requireUnchanged(source.files)
  return picked
}
