import type { Columns } from '../../certificates/certificate.ts'
import { requireInput } from '../../core/errors.ts'
import type { Table } from '../../sources/table.ts'
import { requireIds, rowNumbers } from '../pools/points.ts'
import { type Coded, columnReader } from './columns.ts'
import { requirePrediction, unknownChance } from './predictions.ts'

/** What a file says of every row, in the order of the file. */
export interface PredictionRows extends Said {
  readonly ids: readonly string[]
  /** What another model predicts, and what is true, where the file has it. */
  readonly others: Coded | undefined
  readonly truth: Coded | undefined
}

/** What a model says of every row. */
interface Said {
  readonly labels: Coded
  /** The chance that a prediction is wrong, as the model has it; undefined if it does not say. */
  readonly chances: Float64Array | undefined
  /** The chance that a row is of some class, of so many. */
  chanceOf(label: string, classes: number): (row: number) => number
}

/** Everything an audit needs, in one pass over the file. */
export async function readPredictions(table: Table, columns: Columns & { readonly truth?: string }): Promise<PredictionRows> {
  requirePrediction(columns)
  const { id, prediction, confidence, probabilities, against } = columns
  const reader = columnReader(table)
  const codedIn = (name: string | undefined) => (name === undefined ? undefined : reader.coded(name))
  const cells = id === undefined ? undefined : reader.texts(id)
  const [labels, others, truth] = [prediction, against, columns.truth].map(codedIn)
  const named = probabilities ?? (confidence === undefined ? [] : [confidence])
  const shares = named.map(reader.numbers)
  await reader.read()

  const ids = cells ? requireIds(id!, cells) : rowNumbers(table.rows)
  if (labels) requireLabels(prediction!, labels)
  if (others) requireLabels(against!, others)
  for (const [k, name] of named.entries()) requireProbabilities(name, shares[k]!)
  const said = probabilities
    ? byProbabilities(probabilities, shares, labels && codesAmong(probabilities, prediction!, labels))
    : byConfidence(labels!, shares[0])
  return { ids, others, truth, ...said }
}

function byConfidence(labels: Coded, confidences: Float32Array | undefined): Said {
  const chances = confidences && new Float64Array(confidences).map((value) => 1 - value)
  return {
    labels,
    chances,
    // What is left of the probability, shared evenly among the other classes.
    chanceOf(label, classes) {
      const code = labels.names.indexOf(label)
      return (row) => {
        const wrong = chances?.[row] ?? unknownChance
        return labels.codes[row] === code ? 1 - wrong : wrong / Math.max(1, classes - 1)
      }
    },
  }
}

/** `given`: which of the classes is predicted, if it need not be the likeliest. */
function byProbabilities(classes: readonly string[], shares: readonly Float32Array[], given: Int32Array | undefined): Said {
  const codes = given ?? likeliest(shares)
  return {
    labels: { names: [...classes], codes },
    chances: new Float64Array(codes.length).map((_, row) => 1 - shares[codes[row]!]![row]!),
    chanceOf(label) {
      const own = shares[classes.indexOf(label)]
      return (row) => own?.[row] ?? unknownChance
    },
  }
}

function likeliest(shares: readonly Float32Array[]): Int32Array {
  return new Int32Array(shares[0]!.length).map((_, row) => {
    let best = 0
    for (let k = 1; k < shares.length; k++) if (shares[k]![row]! > shares[best]![row]!) best = k
    return best
  })
}

function codesAmong(classes: readonly string[], column: string, { names, codes }: Coded): Int32Array {
  const places = names.map((name) => classes.indexOf(name))
  const bad = codes.findIndex((code) => places[code]! < 0)
  requireInput(bad < 0, `${column}: one of ${classes.join(', ')} is required, got ${names[codes[bad]!]} in row ${bad + 1}`)
  return codes.map((code) => places[code]!)
}

function requireLabels(column: string, { codes }: Coded): void {
  const missing = codes.indexOf(-1)
  requireInput(
    missing < 0,
    `${column}: every row needs a prediction, got none in row ${missing + 1}`,
    'Leave out rows without one.',
  )
}

function requireProbabilities(column: string, values: Float32Array): void {
  const bad = values.findIndex((value) => !(value >= 0 && value <= 1))
  const got = Number.isNaN(values[bad]) ? 'nothing' : values[bad]
  requireInput(
    bad < 0,
    `${column}: a number in [0, 1] is required, got ${got} in row ${bad + 1}`,
    got === 'nothing' ? 'Leave out --confidence if some are not known.' : 'A percentage? Divide it by 100.',
  )
}
