import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logisticLearner } from '../learners/margin-learner.ts'
import { type LearnPlan, learn } from '../loop.ts'
import { columnOracle } from '../oracles/column.ts'
import type { Project } from '../stores/project.ts'
import { createProject } from '../stores/sqlite.ts'
import { strategies } from '../strategies/catalogue.ts'
import { nowOf } from './now.ts'
import { nowOnRecord } from './now-on-record.ts'
import type { PoolData } from './pools/pool-data.ts'
import type { Settings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-now-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ids = Array.from({ length: 200 }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: 400 }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const truth = new Map(ids.map((id, i) => [id, values[2 * i]! > values[2 * i + 1]! ? 'yes' : 'no']))
const engine = () => memoryEngine({ ids, features: dense(values, 2) })
const classes = ['no', 'yes']
const settings = { added: [], loss: 'logistic', l2: 1, classes } as unknown as Settings
const data = { engine, size: ids.length, classes } as unknown as PoolData

let projects = 0
const fresh = () => createProject(join(folder, `${projects++}.alis`))

async function learned(project: Project, rounds: number, changes: Partial<LearnPlan> = {}): Promise<void> {
  const parts = { engine: engine(), store: project, oracle: columnOracle(truth), learner: logisticLearner(), classes }
  const plan = { ...parts, strategy: strategies.alis, seed: 7, rounds, ...changes }
  for await (const _ of learn(plan));
}

const fromPool = async (project: Project) => nowOf(project, settings, data, (await project.models()).at(-1)!.model)

it('is on record after every round, the same as from the pool', async () => {
  const project = await fresh()
  expect(await nowOnRecord(project, settings)).toEqual({ now: null, why: 'no model' })
  await learned(project, 1, { budget: 10 })
  expect(await nowOnRecord(project, settings)).toEqual({ now: null, why: 'too early' })
  await learned(project, 4)
  const { now } = await nowOnRecord(project, settings)
  expect(now).toMatchObject({ answers: 50, points: 150, over: 'unanswered' })
  expect(await fromPool(project)).toEqual({ now })
  await project.close()
})

it('is not told any more once an answer was revised, which the pool is needed for', async () => {
  const project = await fresh()
  await learned(project, 4)
  const { now: before } = await nowOnRecord(project, settings)
  const [start] = await project.rounds()
  const [id, label] = [...start!.answers][0]!
  await project.revise(0, id, label === 'yes' ? 'no' : 'yes')
  expect(await nowOnRecord(project, settings)).toEqual({ now: null, why: 'revised' })
  expect((await fromPool(project)).now).not.toBeNull()
  await project.revise(0, id, label)
  expect(await nowOnRecord(project, settings)).toEqual({ now: null, why: 'revised' }) // twice, which cannot be told from none without the pool
  expect((await fromPool(project)).now).toEqual(before)
  await learned(project, 4) // nothing is left to do but to look again
  expect((await nowOnRecord(project, settings)).now).toEqual(before)
  await project.close()
})

it('is of the pool as it was then', async () => {
  const project = await fresh()
  await learned(project, 3)
  const grown = { added: [{ path: 'more.csv', hash: 'sha256:abc', poolSize: 250 }] }
  expect(await nowOnRecord(project, grown)).toEqual({ now: null, why: 'grown' })
  await project.close()
})

it('of a project that kept no looks comes from the pool, and goes on record when the project goes on', async () => {
  const project = await fresh()
  const forgetful: Project = { ...project, keepLook: async () => {} }
  await learned(forgetful, 4)
  expect(await nowOnRecord(project, settings)).toEqual({ now: null, why: 'not kept' })
  const { now } = await fromPool(project)
  expect(now).toMatchObject({ answers: 50 })
  await learned(project, 4)
  expect(await nowOnRecord(project, settings)).toEqual({ now })
  await project.close()
})

it('of a project that kept no models cannot be told, and of one that drew nothing by lot neither', async () => {
  const project = await fresh()
  await learned(project, 3)
  const withoutModels: Project = { ...project, model: async () => undefined }
  expect(await fromPool(withoutModels)).toEqual({ now: null, why: 'models unknown' })
  await project.close()
  const certain = await fresh()
  await learned(certain, 3, { strategy: strategies.uncertainty })
  expect(await nowOnRecord(certain, settings)).toEqual({ now: null, why: 'not drawn' })
  await certain.close()
})

it('is nothing where no point is left', async () => {
  const project = await fresh()
  await learned(project, 30, { batch: 50 })
  expect(await nowOnRecord(project, settings)).toEqual({ now: null, why: 'nothing left' })
  await project.close()
})
