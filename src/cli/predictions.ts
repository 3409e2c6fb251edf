import { createHash } from 'node:crypto'
import { logit } from '../certificates/calibrated.ts'
import type { Columns } from '../certificates/certificate.ts'
import { requireInput } from '../core/errors.ts'
import { dense } from '../core/features.ts'
import type { ColumnModel } from '../core/model.ts'
import type { Label } from '../core/record.ts'
import type { Engine } from '../engines/engine.ts'
import { memoryEngine } from '../engines/memory.ts'
import { openTable } from '../sources/duckdb-file.ts'
import type { Table } from '../sources/table.ts'
import type { Metric } from '../strategies/measures.ts'
import { readFields } from './fields.ts'
import { canonicalOrder, idColumn, readIds } from './points.ts'

/** What to read: the columns of predictions, the column of known answers, and the classes if they are known already. */
export interface Reading extends Columns {
  readonly metric: Metric
  readonly positive?: string
  readonly truth?: string
  readonly classes?: readonly string[]
  /** Classes that an answer may name though no prediction does. */
  readonly known?: readonly string[]
}

/** A file of predictions, ready to be audited. */
export interface Predictions {
  readonly engine: Engine
  readonly model: ColumnModel
  readonly classes: readonly string[]
  readonly poolHash: string
  readonly columns: Columns
  /** Known answers, where the file has them. */
  readonly truth: ReadonlyMap<string, Label> | undefined
  /** Whether anything tells sure predictions from doubtful ones. */
  readonly hasConfidence: boolean
}

// Without a confidence every prediction is as doubtful as any other; one in ten is where the interval starts looking.
const unknownChance = 0.1

export async function loadPredictions(path: string, reading: Reading): Promise<Predictions> {
  const table = await openTable(path)
  try {
    const { prediction, confidence, probabilities, against, metric, positive } = reading
    const id = reading.id ?? idColumn(table, reading.truth)
    const ids = await readIds(table, id)
    const { labels, chances, chanceOf } = await readPredictions(table, reading)
    const others = against === undefined ? undefined : await readLabels(table, against)
    const truth = reading.truth === undefined ? undefined : await table.strings(reading.truth)
    const { order, hashes } = canonicalOrder(ids, id)
    const said = [...labels, ...(others ?? []), ...(truth ?? []).filter((label) => label !== null), ...(reading.known ?? [])]
    const classes = reading.classes ?? [...new Set(said)].sort()
    const position = new Map(classes.map((name, k) => [name, k]))

    const isAboutPositive = metric !== 'error' && metric !== 'accuracy' && metric !== 'difference'
    const width = others ? 3 : 2
    const features = new Float32Array(width * ids.length)
    for (const [k, row] of order.entries()) {
      const chance = isAboutPositive ? chanceOf(row, positive!, classes.length) : (chances?.[row] ?? unknownChance)
      features[width * k] = logit(chance)
      features[width * k + 1] = position.get(labels[row]!) ?? -1 // a class that no answer can have
      if (others) features[width * k + 2] = position.get(others[row]!) ?? -1
    }
    const sorted = order.map((row) => ids[row]!)
    return {
      engine: memoryEngine({
        ids: sorted,
        features: dense(features, width),
        hashes,
        fields: (wanted) =>
          readFields(
            table,
            wanted.map((k) => order[k]!),
            shownIn(table, reading),
          ),
        close: () => table.close(),
      }),
      model: {
        kind: 'columns',
        id: hashOf(order, (row) => [ids[row]!, labels[row]!, chances?.[row] ?? null, ...(others ? [others[row]!] : [])]),
        classes: ['no', 'yes'],
        columns: width,
      },
      classes,
      poolHash: hashOf(order, (row) => [ids[row]!]),
      columns: {
        ...(id !== undefined && { id }),
        ...(prediction !== undefined && { prediction }),
        ...(confidence !== undefined && { confidence }),
        ...(probabilities !== undefined && { probabilities }),
        ...(against !== undefined && { against }),
      },
      truth: truth && new Map(ids.map((id, row) => [id, truth[row] ?? null])),
      hasConfidence: chances !== undefined,
    }
  } catch (error) {
    await table.close()
    throw error
  }
}

/** What whoever answers may see: everything but the predictions and the truth. */
function shownIn(table: Table, { prediction, confidence, probabilities = [], against, truth }: Reading): string[] {
  const hidden = new Set([prediction, confidence, ...probabilities, against, truth])
  return table.columns.map(({ name }) => name).filter((name) => !hidden.has(name))
}

/** What a file says of every row. */
interface Said {
  readonly labels: string[]
  /** The chance that a prediction is wrong, as the model has it; undefined if it does not say. */
  readonly chances: Float64Array | undefined
  /** The chance that a row is of some class. */
  chanceOf(row: number, label: string, classes: number): number
}

async function readPredictions(table: Table, { prediction, confidence, probabilities }: Columns): Promise<Said> {
  if (probabilities) return readProbabilities(table, probabilities, prediction)
  requireInput(prediction !== undefined, 'prediction: a column is required, got none', 'Name it with --prediction.')
  const labels = await readLabels(table, prediction)
  const confidences = confidence === undefined ? undefined : await readNumbers(table, [confidence])
  if (confidences) checkProbabilities(confidence!, confidences)
  const chances = confidences && Float64Array.from(confidences, (value) => 1 - value)
  return {
    labels,
    chances,
    // What is left of the probability, shared evenly among the other classes.
    chanceOf(row, label, classes) {
      const wrong = chances?.[row] ?? unknownChance
      return labels[row] === label ? 1 - wrong : wrong / Math.max(1, classes - 1)
    },
  }
}

async function readProbabilities(table: Table, classes: readonly string[], prediction: string | undefined): Promise<Said> {
  const values = await readNumbers(table, classes)
  for (const [j, name] of classes.entries())
    checkProbabilities(
      name,
      values.filter((_, k) => k % classes.length === j),
    )
  const given = prediction === undefined ? undefined : await readLabels(table, prediction)
  const labels: string[] = []
  const chances = Float64Array.from({ length: table.rows }, (_, row) => {
    const own = values.subarray(row * classes.length, (row + 1) * classes.length)
    const likeliest = own.reduce((best, p, k) => (p > own[best]! ? k : best), 0)
    const k = given === undefined ? likeliest : classes.indexOf(given[row]!)
    requireInput(k >= 0, `${prediction}: one of ${classes.join(', ')} is required, got ${given?.[row]} in row ${row + 1}`)
    labels.push(classes[k]!)
    return 1 - own[k]!
  })
  return { labels, chances, chanceOf: (row, label) => values[row * classes.length + classes.indexOf(label)] ?? unknownChance }
}

async function readLabels(table: Table, column: string): Promise<string[]> {
  const labels = await table.strings(column)
  const missing = labels.indexOf(null)
  requireInput(missing < 0, `${column}: every row needs a prediction, got none in row ${missing + 1}`)
  return labels as string[]
}

function checkProbabilities(column: string, values: Float32Array): void {
  const bad = values.findIndex((value) => !(value >= 0 && value <= 1))
  const got = Number.isNaN(values[bad]) ? 'nothing' : values[bad]
  requireInput(
    bad < 0,
    `${column}: a number in [0, 1] is required, got ${got} in row ${bad + 1}`,
    'A percentage? Divide it by 100.',
  )
}

/** The given columns row by row, rows × columns; NaN where a cell is empty. */
async function readNumbers(table: Table, names: readonly string[]): Promise<Float32Array> {
  const values = new Float32Array(table.rows * names.length)
  const columns = names.map((name) => ({ name, as: 'number' as const }))
  for await (const batch of table.batches(columns)) {
    for (const [j, cells] of batch.columns.entries()) {
      for (let i = 0; i < batch.rows; i++) values[(batch.start + i) * names.length + j] = cells.values[i] as number
    }
  }
  return values
}

/** SHA-256 over one JSON line a row, in canonical order. */
function hashOf(order: readonly number[], line: (row: number) => readonly unknown[]): string {
  const hash = createHash('sha256')
  for (let start = 0; start < order.length; start += 1000) {
    const lines = order.slice(start, start + 1000).map((row) => JSON.stringify(line(row)))
    hash.update(`${lines.join('\n')}\n`)
  }
  return `sha256:${hash.digest('hex')}`
}
