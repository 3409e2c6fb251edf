import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hashIds } from '../../src/core/randomness.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { byteSlabs, filledSlabs, floatSlabs, hashesIn } from '../../src/engines/kernels/slabs.ts'
import { recipeOf } from '../../src/features/recipe.ts'
import { keepFeatures, readFeatures } from '../../src/projects/pools/features-file.ts'
import { fillRandom, medianOf } from './pool.ts'
import { rounds } from './rounds.ts'

const columns = 32
const key = 'bench'
const noHashes = { low: new Int32Array(0), high: new Int32Array(0) }

export interface Opening {
  /** Seconds. */
  readonly ids: number
  readonly open: number
  readonly firstRound: number
  readonly round: number
  /** Bytes of memory at most, from the start of the process. */
  readonly peak: number
  /** Bytes that ids, their hashes and what finds them take, and those that came with the features, once garbage was collected: as the system sees it. */
  readonly names: number
  readonly held: number
  /** Bytes of the memories that features lie in with all that engines need there, but for the hashes. */
  readonly slabs: number
}

const seconds = (since: number) => (performance.now() - since) / 1000
const peak = () => process.resourceUsage().maxRSS * 1024

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes of memory in use, without garbage: what was collected is given back a little later. */
async function inUse(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    collect()
    await pause(300)
  }
  return process.memoryUsage().rss
}

/** Names of points, and what finds them: no engine in memory does without. */
function idsOf(points: number) {
  const ids = Array.from({ length: points }, (_, row) => `${row}`)
  return { ids, hashes: hashIds(ids) }
}

/** Writes the features of a pool to a folder, as a project has them. */
export async function writePool(folder: string, points: number) {
  const { hashes } = idsOf(points)
  const fill = fillRandom()
  const features = filledSlabs(columns, hashes, (into) => fill(into))
  const means = new Array<number>(columns).fill(0)
  const recipe = recipeOf([{ kind: 'vector', column: 'x', means, scale: 1, indicator: false }], points)
  const start = performance.now()
  keepFeatures(folder, key, { recipe, features })
  return { written: seconds(start) }
}

/** Opens them, with 8 bits or 32, and draws. */
export async function openPool(folder: string, points: number, bits: 8 | 32): Promise<Opening> {
  const empty = await inUse()
  const { engine, features, named, open, before } = await engineOn(folder, points, bits)
  const index = 4 * 2 ** Math.ceil(Math.log2(2 * points + 2)) // src/engines/id-index.ts
  const [first] = await rounds(engine, 1)
  const round = medianOf(await rounds(engine, 7, 1))
  const times = { ids: named, open, firstRound: first!.clock / 1000, round: round.clock / 1000 }
  const own = bits === 8 ? byteSlabs(features, noHashes).slabs : floatSlabs(features, noHashes)! // those that are there
  const slabs = own.reduce((sum, { memory }) => sum + memory.buffer.byteLength, 0) - 8 * points
  return { ...times, peak: peak(), names: before - empty + index, held: (await inUse()) - before - index, slabs }
}

/** As a project does it: once hashes lie with the features, no others are kept. */
async function engineOn(folder: string, points: number, bits: 8 | 32) {
  const begun = performance.now()
  const { ids, hashes } = idsOf(points)
  const named = seconds(begun)
  const before = await inUse()
  const start = performance.now()
  const { features } = readFeatures(folder, key, hashes, bits)!
  const engine = fastEngine({ ids, features, hashes: hashesIn(features) ?? hashes, bits })
  return { engine, features, named, open: seconds(start), before }
}

/** Asks the system to forget what it has read of a file, as far as it listens. */
export function forget(path: string): void {
  try {
    execFileSync('/bin/dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' })
  } catch {
    // no such program, or not this one: then it is as warm as before
  }
}
