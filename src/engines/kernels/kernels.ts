import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { type CompiledModule, Instance, Module, type SharedMemory } from './webassembly.ts'

/** The functions of src/engines/kernels/assembly. Addresses are bytes from the start of the memory that an instance works on. */
export interface Kernels {
  scoreDense(
    features: number,
    rows: number,
    columns: number,
    weights: number,
    intercepts: number,
    count: number,
    out: number,
  ): void
  scoreBytes(
    features: number,
    rows: number,
    stride: number,
    weights: number,
    scales: number,
    intercepts: number,
    count: number,
    out: number,
  ): void
  scoreSparse(
    starts: number,
    indices: number,
    values: number,
    rows: number,
    weights: number,
    intercepts: number,
    count: number,
    out: number,
  ): void
  shortDense(
    row: number,
    columns: number,
    weights: number,
    doubles: number,
    intercept: number,
    near: number,
    table: number,
    out: number,
  ): void
  shortBytes(row: number, step: number, bytes: number, weights: number, scale: number, intercept: number, out: number): void
  shortSparse(
    starts: number,
    indices: number,
    values: number,
    weights: number,
    doubles: number,
    intercept: number,
    near: number,
    out: number,
  ): void
  tallyDense(
    features: number,
    rows: number,
    columns: number,
    weights: number,
    intercept: number,
    near: number,
    scores: number,
    later: number,
    taken: number,
    table: number,
    cells: number,
    out: number,
  ): void
  tallyNear(
    features: number,
    columns: number,
    doubles: number,
    intercept: number,
    later: number,
    table: number,
    cells: number,
    out: number,
  ): void
  tallyBytes(
    features: number,
    rows: number,
    stride: number,
    weights: number,
    scale: number,
    intercept: number,
    scores: number,
    taken: number,
    table: number,
    cells: number,
    out: number,
  ): void
  tallySparse(
    starts: number,
    indices: number,
    values: number,
    rows: number,
    weights: number,
    doubles: number,
    intercept: number,
    near: number,
    scores: number,
    taken: number,
    table: number,
    cells: number,
    out: number,
  ): void
  project(
    features: number,
    rows: number,
    width: number,
    vectors: number,
    count: number,
    out: number,
    part: number,
    parts: number,
  ): void
  addRows(
    features: number,
    rows: number,
    width: number,
    factors: number,
    count: number,
    vectors: number,
    part: number,
    parts: number,
  ): void
  bend(
    features: number,
    rows: number,
    width: number,
    vectors: number,
    own: number,
    shares: number,
    count: number,
    work: number,
    out: number,
    part: number,
    parts: number,
  ): void
  squares(
    features: number,
    rows: number,
    width: number,
    roots: number,
    work: number,
    out: number,
    part: number,
    parts: number,
  ): void
  factor(squares: number, width: number, l2: number, out: number): void
  solve(factor: number, width: number, vector: number): void
  judge(scores: number, rows: number, classes: number, work: number, out: number): void
  judgeDense(
    features: number,
    rows: number,
    columns: number,
    weights: number,
    doubles: number,
    intercepts: number,
    classes: number,
    near: number,
    work: number,
    out: number,
  ): void
  removeVariance(features: number, rows: number, columns: number, matrices: number, work: number, points: number): void
  addMoment(
    features: number,
    rows: number,
    columns: number,
    points: number,
    taken: number,
    recipe: number,
    work: number,
    out: number,
  ): void
  readAll(at: number, bytes: number): bigint
  clear(cells: number, count: number): void
  withdraw(scores: number, table: number, cells: number, out: number): void
  merge(into: number, from: number, count: number): void
  gather(cells: number, count: number, out: number): number
  census(points: number, rows: number, taken: number, recipe: number, bins: number, out: number): void
  weigh(points: number, rows: number, taken: number, recipe: number, out: number): void
  massAt(points: number, row: number, recipe: number): number
  pickWeighed(
    low: number,
    high: number,
    points: number,
    rows: number,
    first: number,
    taken: number,
    recipe: number,
    limit: number,
    most: number,
    keyLow: number,
    keyHigh: number,
    found: number,
    room: number,
  ): void
  pick(
    low: number,
    high: number,
    cells: number,
    rows: number,
    first: number,
    thresholds: number,
    keyLow: number,
    keyHigh: number,
    found: number,
    room: number,
  ): void
}

/** What the kernels were built for, the fastest first. */
const builds = ['relaxed', 'simd'] as const

export interface KernelBuild {
  readonly name: (typeof builds)[number]
  readonly module: CompiledModule
}

// V8 begins with quickly compiled code and may stay with it for long: a fifth of the speed. These few functions are compiled well at once.
setFlagsFromString('--no-liftoff')

const compiled = builds.flatMap((name): KernelBuild[] => {
  try {
    const file = new URL(`./built/${name}.wasm`, import.meta.url)
    return [{ name, module: new Module(readFileSync(file)) }]
  } catch {
    return [] // a machine without it, or a file that is not there: the next is slower, and the same
  }
})

/** The fastest build that this machine can run; none where there is no SIMD, or where nothing was built. */
export const kernelBuild = compiled[0]

/** The build whose results are the same on every machine, to the last bit. */
export const portableBuild = compiled.find(({ name }) => name === 'simd')

/** The kernels on some memory. */
export function kernelsOn(module: CompiledModule, memory: SharedMemory): Kernels {
  return new Instance<Kernels>(module, { env: { memory } }).exports
}
