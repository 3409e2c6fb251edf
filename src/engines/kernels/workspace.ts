import type { SlabRegion } from './slab-layout.ts'
import type { Slab } from './slabs.ts'
import type { Job } from './tasks.ts'
import type { MemoryThreads } from './threads.ts'

/** One slab with all that it takes to work on it. */
export interface Workspace {
  readonly slab: Slab
  readonly threads: MemoryThreads
  readonly region: SlabRegion
}

/** What distinguishes one job from another, without where it is done. */
export type JobDetails<Each = Job> = Each extends Job ? Omit<Each, 'rows' | 'form' | 'layout'> : never

/** A job on a slab. `bytes`: what it has to read there. */
export function runOn({ slab, threads, region }: Workspace, job: JobDetails, bytes: number): Promise<void> {
  return threads.run({ ...job, rows: slab.rows, form: slab.form, layout: region.layout }, bytes)
}
