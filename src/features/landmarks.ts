import { factorInPlace, solveLowerInPlace, solveLowerOfFour } from '../core/cholesky.ts'
import type { FeatureRows } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import type { LandmarksStep } from './recipe.ts'

/** Mean length of a row of these features, near which the usual penalty suits them, as with vectors. */
const length = 5

/** What the similarities of landmarks to themselves are raised by, so that equal ones do no harm. */
const jitter = 1e-4

/** Pairs of rows that the width of similarities is read off. */
const pairRows = 400

/** Some rows of the pool, with γ = 1 / the median of the squared distances of rows. */
export function learnLandmarks(rows: FeatureRows): LandmarksStep | undefined {
  const chosen = Array.from({ length: rows.rows }, (_, row) => rowOf(rows, row))
  const median = medianDistance(chosen.slice(0, pairRows))
  if (chosen.length < 2 || !(median > 0)) return undefined // all rows are alike
  return { kind: 'landmarks', rows: chosen.map((row) => [...row]), gamma: 1 / median, length }
}

/** So many rows by lot. The lots are hashed from the places of rows: in canonical order the same for a file in any order. */
export function rowsByLot(rows: number, count: number): number[] {
  const lots = Float64Array.from({ length: rows }, (_, row) => uniform(0, 'landmarks', `${row}`))
  return Array.from(lots.keys())
    .sort((a, b) => lots[a]! - lots[b]!)
    .slice(0, count)
}

function rowOf(base: FeatureRows, row: number): Float64Array {
  const x = new Float64Array(base.columns)
  base.addInPlace(row, 1, x)
  return x
}

function medianDistance(rows: readonly Float64Array[]): number {
  const distances = rows.flatMap((a, i) => rows.slice(0, i).map((b) => squaredDistance(a, b))).sort((a, b) => a - b)
  return distances[Math.floor(distances.length / 2)] ?? 0
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) {
    const away = a[j]! - b[j]!
    sum += away * away
  }
  return sum
}

const alikeBy = (gamma: number) => (a: Float64Array, b: Float64Array) => Math.exp(-gamma * squaredDistance(a, b))

/** L of K + jitter = LLᵀ, K the similarities of the landmarks to each other. */
function factorOf(landmarks: readonly Float64Array[], gamma: number): Float64Array {
  const alike = alikeBy(gamma)
  const size = landmarks.length
  const factor = new Float64Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) factor[i * size + j] = alike(landmarks[i]!, landmarks[j]!) + (i === j ? jitter : 0)
  factorInPlace(factor, size)
  return factor
}

/** `length` L⁻¹, row by row: what makes features of similarities to the landmarks, for those who multiply rather than solve. */
export function similarityWeights({ rows, gamma, length }: LandmarksStep): number[][] {
  const landmarks = rows.map((row) => Float64Array.from(row))
  const factor = factorOf(landmarks, gamma)
  const columns = landmarks.map((_, j) => {
    const unit = new Float64Array(landmarks.length)
    unit[j] = length
    solveLowerInPlace(factor, unit)
    return unit
  })
  return landmarks.map((_, i) => columns.map((column) => column[i]!))
}

/** Rows whose features are made at the same time: sums of one need not wait for each other, those of four can. */
const together = 4

/** Writes the features of rows of some width, whose first are those of the parts, from `at` on in each row. */
export function landmarksWriter({ rows, gamma, length }: LandmarksStep): (into: Float32Array, width: number, at: number) => void {
  const landmarks = rows.map((row) => Float64Array.from(row))
  const factor = factorOf(landmarks, gamma)
  const size = landmarks.length
  const columns = landmarks[0]!.length
  const x = new Float64Array(together * columns) // the same feature of four rows side by side
  const z = new Float64Array(together * size)
  return (into, width, at) => {
    const count = into.length / width
    for (let first = 0; first < count; first += together) {
      const some = Math.min(together, count - first)
      for (let r = 0; r < some; r++) for (let j = 0; j < columns; j++) x[together * j + r] = into[(first + r) * width + j]!
      for (let i = 0; i < size; i++) writeAlike(x, landmarks[i]!, gamma, z, together * i)
      solveLowerOfFour(factor, z)
      for (let r = 0; r < some; r++)
        for (let i = 0; i < size; i++) into[(first + r) * width + at + i] = length * z[together * i + r]!
    }
  }
}

/** How alike a landmark is to each of four rows. */
function writeAlike(x: Float64Array, landmark: Float64Array, gamma: number, into: Float64Array, at: number): void {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let j = 0, k = 0; j < landmark.length; j++, k += together) {
    const value = landmark[j]!
    const p = x[k]! - value
    const q = x[k + 1]! - value
    const r = x[k + 2]! - value
    const s = x[k + 3]! - value
    a += p * p
    b += q * q
    c += r * r
    d += s * s
  }
  into[at] = Math.exp(-gamma * a)
  into[at + 1] = Math.exp(-gamma * b)
  into[at + 2] = Math.exp(-gamma * c)
  into[at + 3] = Math.exp(-gamma * d)
}
