import { dirname, join } from 'node:path'
import { requireInput } from '../core/errors.ts'
import { identityOf } from '../core/hash.ts'
import type { Cells, TableColumn } from '../core/rows.ts'
import { isImage } from '../features/guess-role.ts'
import type { EmbeddedColumn } from '../features/recipe.ts'
import { embeddedName } from '../features/roles.ts'
import type { Table } from '../sources/table.ts'
import { type Embedder, type EmbedderRequest, identityOfModel, openEmbedder } from './embedder.ts'
import { readVectors, type VectorsFile, vectorsFile } from './vectors-file.ts'

export interface Embedding {
  /** The path of the table: vectors are kept beside it, and paths of images start there. */
  readonly path: string
  readonly columns: readonly string[]
  readonly model: string
  progress?(share: number, step: string): void
  readonly signal?: AbortSignal | undefined
  /** How a model is opened. */
  open?(request: EmbedderRequest): Promise<Embedder>
}

interface OwnVectors {
  readonly said: EmbeddedColumn
  readonly file: VectorsFile
}

/** A table with columns of vectors beside those that they are made of. Made once, and kept on disk; memory has one batch at a time. */
export async function embeddedTable(
  table: Table,
  embedding: Embedding,
): Promise<Table & { readonly embedded: readonly EmbeddedColumn[] }> {
  const { path, columns, model, progress, signal, open = openEmbedder } = embedding
  const directory = /[*?[]/.test(dirname(path)) ? '.' : dirname(path)
  const identity = await identityOfModel(model)
  const made = new Map<string, OwnVectors>()
  for (const [k, name] of columns.entries()) {
    const column = columnOf(table, name)
    const kind = isImage(column) ? 'image' : 'text'
    const key = identityOf([table.hash, name, kind, identity]).slice(7, 39)
    const file = await vectorsFile(join(directory, '.alis-embeddings', `${key}.f32`), {
      ...{ table, column: name, signal },
      openModel: () => open({ model, kind, directory }),
      ...(progress && { progress: (share: number, step: string) => progress((k + share) / columns.length, step) }),
    })
    made.set(embeddedName(name), { file, said: { column: name, model, identity, width: file.width } })
  }
  return { ...withVectors(table, made), embedded: [...made.values()].map(({ said }) => said) }
}

function columnOf({ columns }: Table, name: string): TableColumn {
  const found = columns.find((column) => column.name === name)
  const there = columns.map((column) => column.name)
  requireInput(
    found !== undefined && found.kind === 'text',
    `--embed: a column of texts or images is required, got ${JSON.stringify(name)}`,
    `The columns are ${there.slice(0, 12).join(', ')}.`,
  )
  requireInput(!there.includes(embeddedName(name)), `--embed: no column may be called ${embeddedName(name)}, got one`)
  return found
}

function withVectors(table: Table, made: ReadonlyMap<string, OwnVectors>): Table {
  const columns = [...made].map(
    ([name, { file }]): TableColumn => ({
      ...{ name, kind: 'vector', missing: file.missing, distinct: table.rows - file.missing },
      ...{ meanLength: 0, examples: [], width: file.width },
    }),
  )
  const { sql: _, reading: __, ...rest } = table // in a query they are not
  return {
    ...rest,
    hash: identityOf([table.hash, ...[...made.values()].map(({ said }) => [said.column, said.identity])]),
    columns: [...table.columns, ...columns],
    async *batches(requests, progress) {
      const own = requests.filter(({ name }) => !made.has(name))
      const first = [...made.values()][0]!.said.column
      const asked = own.length > 0 ? own : [{ name: first, as: 'text' as const }]
      for await (const batch of table.batches(asked, progress)) {
        let next = 0
        const cells: Cells[] = []
        for (const { name } of requests) cells.push((await vectorCells(made.get(name)?.file, batch)) ?? batch.columns[next++]!)
        yield { ...batch, columns: cells }
      }
    },
    async pick(rows, names) {
      const picked = await table.pick(
        rows,
        names.filter((name) => !made.has(name)),
      )
      return picked.map((cells) => {
        let next = 0
        return names.map((name) => (made.has(name) ? null : cells[next++]!))
      })
    },
  }
}

async function vectorCells(
  file: VectorsFile | undefined,
  { start, rows }: { readonly start: number; readonly rows: number },
): Promise<Cells | undefined> {
  return file && { kind: 'vector', width: file.width, values: await readVectors(file, start, rows) }
}
