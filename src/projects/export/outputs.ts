import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { machineOf } from '../../core/record.ts'
import { type TableFormat, tableBytes, type WrittenRow } from '../../sources/write-table.ts'
import { datasetCard } from './dataset-card.ts'
import type { Facts } from './facts.ts'
import { type LabelRow, labelCells, labelColumns } from './labels.ts'
import { labelStudioConfig, labelStudioTask, prodigyTask } from './other-tools.ts'
import { pointColumns } from './point-columns.ts'
import type { Pool, PoolRow } from './pool-rows.ts'
import { predictorOf } from './predictor.ts'

export interface ExportWork {
  readonly facts: Facts
  readonly folder: string
  readonly format: TableFormat
  /** Whether CSV is for programs: without guards against formulas. */
  readonly isRaw: boolean
  /** Labels have all columns of the pool too. */
  readonly withColumns: boolean
  /** Opened when it is first asked for: labels and model need no pool. */
  pool(): Promise<Pool>
}

export interface WrittenFile {
  readonly file: string
  readonly rows?: number
}

/** Every part of an export by name: how it is written, and the files that come of it. */
export const outputs = {
  async labels({ facts, folder, format, isRaw, withColumns }) {
    const file = `labels.${format}`
    const { columns, rows } = withColumns ? await labelsWithColumns(facts) : plainLabels(facts)
    await writeFile(join(folder, file), tableBytes(columns, format, [rows], { isRaw }))
    return [{ file, rows: rows.length }]
  },

  async predictions({ facts, folder, format, isRaw, pool }) {
    const { rows } = await pool()
    const file = `predictions.${format}`
    const said = byId(facts.labels)
    let written = 0
    const cells = mapped(rows({ predictor: predictorIn(facts) }), (batch) => {
      written += batch.length
      return batch.map((row) => predictionCells(row, said.get(row.id)))
    })
    await writeFile(join(folder, file), tableBytes(predictionColumns, format, cells, { isRaw }))
    return [{ file, rows: written }]
  },

  async model({ facts: { model }, folder }) {
    const file = 'model.json'
    await writeFile(join(folder, file), `${JSON.stringify(model)}\n`)
    return [{ file }]
  },

  certificates: ({ facts, folder }) => writeCertificates(facts, folder),

  async 'label-studio'({ facts, folder, pool }) {
    const { rows, shown } = await pool()
    const said = byId(facts.labels)
    const model = facts.model?.model.id
    let written = 0
    const tasks = mapped(rows({ predictor: predictorIn(facts), wantsFields: true }), (batch) => {
      written += batch.length
      return batch.map((row) => labelStudioTask(row, said.get(row.id), model))
    })
    await writeFile(join(folder, 'label-studio.json'), jsonArray(tasks))
    await writeFile(join(folder, 'label-studio.xml'), labelStudioConfig(shown, facts.settings!.classes))
    return [{ file: 'label-studio.json', rows: written }, { file: 'label-studio.xml' }]
  },

  async prodigy({ facts: { labels, settings }, folder, pool }) {
    const file = 'prodigy.jsonl'
    const said = byId(labels)
    const { rows, shown } = await pool()
    const tasks = mapped(rows({ wantsFields: true }), (batch) =>
      batch.flatMap((row) => {
        const label = said.get(row.id)
        return label ? [prodigyTask(row, label, shown, settings!.classes)] : []
      }),
    )
    await writeFile(join(folder, file), jsonLines(tasks))
    return [{ file, rows: said.size }]
  },
  async 'hugging-face'({ facts, folder }) {
    const file = join('hugging-face', 'data', 'train-00000-of-00001.parquet')
    const { columns, rows } = await labelsWithColumns(facts)
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), tableBytes(columns, 'parquet', [rows]))
    const card = join('hugging-face', 'README.md')
    await writeFile(join(folder, card), datasetCard(basename(facts.project.path, '.alis'), facts))
    const sealed = await writeCertificates(facts, join(folder, 'hugging-face'))
    return [{ file, rows: rows.length }, { file: card }, ...sealed.map((each) => ({ file: join('hugging-face', each.file) }))]
  },
} as const satisfies Record<string, (work: ExportWork) => Promise<WrittenFile[]>>

export type ExportPart = keyof typeof outputs

async function writeCertificates({ certificates }: Facts, folder: string): Promise<WrittenFile[]> {
  const files: WrittenFile[] = []
  for (const { seal, text } of certificates) {
    const file = join('certificates', `${seal.replace('sha256:', '').slice(0, 16)}.json`)
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text) // to the byte: alis verify looks at every one
    files.push({ file })
  }
  return files
}

const plainLabels = ({ labels }: Facts) => ({ columns: labelColumns, rows: labels.map(labelCells) })

/** The labels, each with all that the pool says of its point. */
async function labelsWithColumns({ labels, points }: Facts) {
  const own = await pointColumns(
    points,
    labels.map(({ id }) => id),
    labelColumns.map(({ name }) => name),
  )
  const rows = labels.map((row): WrittenRow => [...labelCells(row), ...own.cells(row.id)])
  return { columns: [...labelColumns, ...own.columns], rows }
}

const predictionColumns = [
  { name: 'id', type: 'text' },
  { name: 'prediction', type: 'text' },
  { name: 'confidence', type: 'number' },
  { name: 'source', type: 'text' },
] as const

/** An answer is certain; "cannot tell" says nothing, so there the model speaks. */
function predictionCells({ id, predicted }: PoolRow, said: LabelRow | undefined): WrittenRow {
  if (said && said.label !== null) return [id, said.label, 1, machineOf(said.annotator) === undefined ? 'person' : 'machine']
  return [id, predicted!.prediction, predicted!.confidence, 'model']
}

const byId = (labels: readonly LabelRow[]) => new Map(labels.map((row) => [row.id, row]))

const predictorIn = ({ model }: Facts) => model && predictorOf(model.model, model.recipe)

async function* mapped<A, B>(items: AsyncIterable<A>, change: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield change(item)
}

async function* jsonLines(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map((item) => `${JSON.stringify(item)}\n`).join('')
}

async function* jsonArray(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield before + batch.map((item) => JSON.stringify(item)).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
