import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RoundFacts } from '../../src/core/record.ts'
import { learn } from '../../src/loop.ts'
import { firstDifference } from '../../src/questions/certificate.ts'
import { exactJson } from '../../src/stores/exact-json.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { createProject, openProject } from '../../src/stores/sqlite.ts'
import { type Acknowledged, deathOf, live, missing, scratch } from './lives.ts'
import { smallRun } from './small-run.ts'

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What a reader finds on record. */
async function look(path: string) {
  const project = await openProject(path, { mode: 'read' })
  const [rounds, answers] = [await project.rounds(), await project.answers()]
  await project.close()
  return { rounds, answers }
}

/** The first difference between two records, to the last bit and in the order of the answers. */
const difference = (left: readonly RoundFacts[], right: readonly RoundFacts[]) =>
  firstDifference(left.map(plain), right.map(plain))
const plain = ({ answers, ...round }: RoundFacts) => ({ ...round, answers: [...answers] })

async function uninterrupted(seed: number): Promise<readonly RoundFacts[]> {
  const store = memoryStore()
  for await (const _ of learn(smallRun(store, seed)));
  return store.rounds()
}

/** A run that is killed so often, or as often as it lasts, and then left to end. */
async function surviving(kills: number, path: string, seed: number) {
  await (await createProject(path)).close()
  const acknowledged: Acknowledged[] = []
  let killed = 0
  let isOver = false
  let drawn: string[] = []
  for (let life = 0; !isOver; life++) {
    const fate = killed < kills ? { death: deathOf(`${seed}/${life}`) } : {}
    const { wasKilled, ...one } = await live(path, seed, fate)
    acknowledged.push(...one.acknowledged)
    killed += wasKilled ? 1 : 0
    isOver = !wasKilled
    const { rounds, answers } = await look(path)
    expect(missing(acknowledged, answers)).toEqual([])
    const now = rounds.map(({ answers: _, isClosed: __, ...opening }) => exactJson(opening))
    expect(now.slice(0, drawn.length)).toEqual(drawn) // no draw on record ever changes
    drawn = now
  }
  return { killed, acknowledged, ...(await look(path)) }
}

describe.concurrent('a process killed at any moment', () => {
  const killsEach = process.env.ALIS_MANY_KILLS ? 250 : 24 // of four runs

  it.for([1, 2, 3, 4])(
    'loses no answer, changes no draw and ends like one that was left alone (seed %i)',
    { timeout: 300_000 },
    async (first, { expect }) => {
      // Where kills come late a run is over before it was killed often enough: then there is another.
      for (let killed = 0, seed = first; killed < killsEach; seed += 4) {
        const path = join(scratch, `${seed}.alis`)
        const { rounds, answers, acknowledged, ...life } = await surviving(killsEach - killed, path, seed)
        expect(missing(acknowledged, answers)).toEqual([])
        expect(answers).toHaveLength(300)
        expect(difference(rounds, await uninterrupted(seed))).toBeUndefined()
        killed += life.killed
      }
    },
  )

  it('would be caught losing answers that were acknowledged before they were written', async ({ expect }) => {
    const path = join(scratch, 'hasty.alis')
    await (await createProject(path)).close()
    const lives = []
    for (let life = 0; life < 4; life++) {
      const { acknowledged } = await live(path, 5, { manner: 'hasty', death: { afterLines: 3 + life, delay: 2 } })
      lives.push(missing(acknowledged, (await look(path)).answers).length)
    }
    expect(Math.max(...lives)).toBeGreaterThan(0)
  })
})
