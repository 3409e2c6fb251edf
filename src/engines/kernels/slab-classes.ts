import type { SlabRegion } from './slab-layout.ts'
import { addRoom } from './slabs.ts'
import type { Signing } from './tasks.ts'
import { threadCount } from './threads.ts'
import { runOn, type Workspace } from './workspace.ts'

/** Where the classes that a model gives to all points lie in each slab: a bit a point for two classes, a byte for more. */
export interface ClassBlocks {
  readonly places: readonly number[]
  readonly bits: 1 | 8
}

/** Where the likeliest class of each point goes, and by how much it must be ahead to be certain. */
export interface Labelling {
  readonly blocks: ClassBlocks
  readonly doubt: number
}

/** In place of a class in bytes that is not certain, as in src/engines/kernels/assembly/class-statistics.ts. */
const notCertain = 255

/** Models that are compared with one at a time, at most. */
const mostAtOnce = 1024
const list = 4 * mostAtOnce // bytes of a number for each

/** The classes of models, where the points lie. Those of taken points are 0 in all of them, so that none counts as differing. */
export class SlabClasses {
  readonly #workspaces: readonly Workspace[]
  readonly #kept = new Set<ClassBlocks>()
  readonly #taken: number[] = []
  /** Of each slab, what comparisons need besides: a bit for each point whose class is not certain, where others begin, and counts of each thread. */
  #rooms: readonly { readonly unsure: number; readonly others: number; readonly counts: readonly number[] }[] | undefined

  constructor(workspaces: readonly Workspace[]) {
    this.#workspaces = workspaces
  }

  /** Room for the classes of one model. */
  add(bits: ClassBlocks['bits']): ClassBlocks {
    const places = this.#workspaces.map(({ slab, region }) => {
      const bytes = bytesOf(slab.rows, bits)
      const place = roomIn(region, bytes)
      new Uint8Array(slab.memory.buffer, place, bytes).fill(0, (slab.rows * bits) >> 3)
      return place
    })
    const blocks = { places, bits }
    this.#kept.add(blocks)
    return blocks
  }

  /** The room is for others from now on. */
  forget(blocks: ClassBlocks): void {
    if (!this.#kept.delete(blocks)) return
    for (const [k, { slab, region }] of this.#workspaces.entries())
      spare(region, bytesOf(slab.rows, blocks.bits), blocks.places[k]!)
  }

  /** Where a pass over some slab puts classes of a bit, if they are wanted. */
  signing(slab: number, labelling?: Labelling): Signing {
    if (!labelling) return { signs: 0, unsure: 0, doubt: 0 }
    return { signs: labelling.blocks.places[slab]!, unsure: this.#roomsFor()[slab]!.unsure, doubt: labelling.doubt }
  }

  /** Settles classes that are not certain, one by one. */
  settle(blocks: ClassBlocks, settle: (row: number) => number): void {
    for (const k of this.#workspaces.keys())
      if (blocks.bits === 1) this.#settleBits(k, blocks, settle)
      else this.#settleBytes(k, blocks, settle)
    if (blocks.bits === 8) this.#leaveOutTaken(blocks) // passes that write bits leave them out
  }

  /** The same class for all points that are not taken. */
  constant(bits: ClassBlocks['bits'], label: number): ClassBlocks {
    const blocks = this.add(bits)
    for (const [k, { slab }] of this.#workspaces.entries()) {
      const own = new Uint8Array(slab.memory.buffer, blocks.places[k]!, bytesOf(slab.rows, bits)).fill(0)
      if (bits === 8) own.fill(label, 0, slab.rows)
      else if (label === 1) {
        own.fill(255, 0, slab.rows >> 3)
        if (slab.rows % 8 > 0) own[slab.rows >> 3] = (1 << (slab.rows % 8)) - 1
      }
    }
    this.#leaveOutTaken(blocks)
    return blocks
  }

  /** For each of some others: how many points it gives another class, of those that are not taken. */
  async countDiffering(own: ClassBlocks, others: readonly ClassBlocks[]): Promise<number[]> {
    const totals = others.map(() => 0)
    const rooms = this.#roomsFor()
    for (const [k, workspace] of this.#workspaces.entries()) {
      const { slab } = workspace
      const { others: places, counts } = rooms[k]!
      for (let first = 0; first < others.length; first += mostAtOnce) {
        const some = others.slice(first, first + mostAtOnce)
        new Uint32Array(slab.memory.buffer, places, some.length).set(some.map((other) => other.places[k]!))
        const tallies = counts.map((at) => new Uint32Array(slab.memory.buffer, at, some.length).fill(0))
        const job = {
          kind: 'differing',
          own: own.places[k]!,
          others: places,
          count: some.length,
          bits: own.bits,
          counts,
        } as const
        await runOn(workspace, job, (some.length * slab.rows * own.bits) / 8)
        for (const tally of tallies) for (const [j, count] of tally.entries()) totals[first + j]! += count
      }
    }
    return totals
  }

  /** How many points may no longer be drawn. */
  get taken(): number {
    return this.#taken.length
  }

  /** A point that may no longer be drawn. */
  take(row: number): void {
    this.#taken.push(row)
    for (const blocks of this.#kept) this.#set(blocks, row, 0)
  }

  close(): void {
    for (const blocks of [...this.#kept]) this.forget(blocks)
    for (const [k, { slab, region }] of this.#workspaces.entries())
      if (this.#rooms) spare(region, roomForCounts(slab.rows), this.#rooms[k]!.unsure)
  }

  #settleBits(k: number, blocks: ClassBlocks, settle: (row: number) => number): void {
    const { slab, threads } = this.#workspaces[k]!
    const { unsure } = this.#roomsFor()[k]!
    const bits = new Uint8Array(slab.memory.buffer, unsure, (slab.rows + 7) >> 3)
    const next = (from: number) => threads.kernels.firstSet({ bits: unsure, from, end: bits.length })
    for (let at = next(0); at >= 0; at = next(at >> 3)) {
      bits[at >> 3]! &= bits[at >> 3]! - 1 // none is left for the next model
      this.#set(blocks, slab.first + at, settle(slab.first + at))
    }
  }

  #settleBytes(k: number, { places }: ClassBlocks, settle: (row: number) => number): void {
    const { slab } = this.#workspaces[k]!
    const own = new Uint8Array(slab.memory.buffer, places[k]!, bytesOf(slab.rows, 8))
    own.fill(0, slab.rows) // kernels write pairs
    for (let row = own.indexOf(notCertain); row >= 0; row = own.indexOf(notCertain, row + 1)) own[row] = settle(slab.first + row)
  }

  #leaveOutTaken(blocks: ClassBlocks): void {
    for (const row of this.#taken) this.#set(blocks, row, 0)
  }

  #set({ places, bits }: ClassBlocks, row: number, label: number): void {
    const k = Math.floor(row / this.#workspaces[0]!.slab.rows)
    const { slab } = this.#workspaces[k]!
    const at = row - slab.first
    const own = new Uint8Array(slab.memory.buffer, places[k]! + (bits === 8 ? at : at >> 3), 1)
    own[0] = bits === 8 ? label : (own[0]! & ~(1 << (at & 7))) | (label << (at & 7))
  }

  #roomsFor() {
    this.#rooms ??= this.#workspaces.map(({ slab, region }) => {
      const unsure = roomIn(region, roomForCounts(slab.rows))
      const others = unsure + bytesOf(slab.rows, 1)
      new Uint8Array(slab.memory.buffer, unsure, others - unsure).fill(0)
      return { unsure, others, counts: Array.from({ length: threadCount() }, (_, thread) => others + (1 + thread) * list) }
    })
    return this.#rooms
  }
}

const roomForCounts = (rows: number): number => bytesOf(rows, 1) + (1 + threadCount()) * list

function roomIn({ slab, spare }: SlabRegion, bytes: number): number {
  return spare.get(bytes)?.pop() ?? addRoom(slab, bytes)
}

function spare({ spare }: SlabRegion, bytes: number, place: number): void {
  spare.set(bytes, [...(spare.get(bytes) ?? []), place])
}

/** Bytes of a room, with some to spare: kernels go by sixteen, and look a little past the end. */
const bytesOf = (rows: number, bits: number): number => Math.ceil((rows * bits) / 512) * 64 + 64
