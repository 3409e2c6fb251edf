import { totalmem } from 'node:os'
import { dataSize } from '../../sources/data-size.ts'
import { byteSize } from '../../text/wording.ts'
import type { Progress } from './pool-data.ts'

/** Where a pool can lie while it is worked on. */
export const engineNames = ['memory', 'duckdb'] as const
export type EngineName = (typeof engineNames)[number]

export interface EngineWish {
  /** By size, if left out. */
  readonly engine?: EngineName | undefined
  /** Bytes that a pool may take in memory. Default: half of what the machine has. */
  readonly memory?: number | undefined
}

export interface PoolWish extends EngineWish {
  /** Called at every long step of a round, with how much of it is done, from 0 to 1. */
  readonly working?: Progress
}

export interface EngineChoice {
  readonly engine: EngineName
  readonly memory: number
  /** Which and why, for people; empty where there is nothing to say. */
  readonly says: readonly string[]
}

/** `columns`: those that will be read, if not all. The engine that was asked for, or else the one that suits the size of the pool. */
export async function chooseEngine(
  path: string,
  { engine, memory = halfOfAll() }: EngineWish,
  columns?: readonly string[],
): Promise<EngineChoice> {
  if (engine === 'memory') return { engine, memory, says: [] }
  if (engine)
    return {
      engine,
      memory,
      says: [`  engine    ${engine}, as asked for: the pool is read where it lies, within ${byteSize(memory)} of memory`],
    }
  const size = await dataSize(path, columns)
  if (size <= memory) return { engine: 'memory', memory, says: [] }
  const why = `the pool takes about ${byteSize(size)}, and ${byteSize(memory)} of memory are allowed (--memory)`
  return { engine: 'duckdb', memory, says: [`  engine    duckdb: ${why}`] }
}

/** Bytes that a pool may take. */
export const memoryFor = ({ memory }: Pick<EngineWish, 'memory'>): number => memory ?? halfOfAll()

/** Half the memory of the machine, or of the container it is in. */
function halfOfAll(): number {
  const own = process.constrainedMemory()
  return Math.floor(Math.min(totalmem(), own > 0 ? own : Number.POSITIVE_INFINITY) / 2)
}
