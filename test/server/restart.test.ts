import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstDifference } from '../../src/questions/certificate.ts'
import { openProject } from '../../src/stores/sqlite.ts'
import { freshDirectory } from '../endings.ts'
import { digits, type Page, truth, visit } from './page.ts'
import { end, start } from './started.ts'

const begin = [
  'label',
  digits,
  '--classes',
  '0,1,2,3,4,5,6,7,8,9',
  '--ignore',
  'digit',
  '--batch',
  '10',
  '--seed',
  '7',
  '--project',
  'd.alis',
]

async function recordOf(directory: string) {
  const project = await openProject(join(directory, 'd.alis'), { mode: 'read' })
  const rounds = await project.rounds()
  await project.close()
  return rounds.map(({ answers, ...round }) => ({ ...round, answers: [...answers].sort() }))
}

/** Answers so many points of the open round. */
async function answerSome(page: Page, count: number): Promise<void> {
  const { round, points } = await page.round()
  for (const { id } of points.filter(({ answer }) => !answer).slice(0, count)) {
    expect((await page.answer(round, id, truth.get(id)!)).status).toBe(200)
  }
}

describe('a server that is killed', () => {
  it('loses nothing that was acknowledged, and goes on with the same draws as one that was not', async () => {
    const [killed, spared] = [freshDirectory(), freshDirectory()]
    const whole = await start(spared, begin)
    const page = await visit(whole.url)
    for (let k = 0; k < 3; k++) await page.answerRound()
    await page.settled()
    await end(whole.child, 'SIGTERM')

    let acknowledged = 0
    for (const [life, count] of [4, 6 + 3, 7 + 10].entries()) {
      const { child, url } = await start(killed, life === 0 ? begin : ['label', '--project', 'd.alis'])
      const visitor = await visit(url)
      expect((await visitor.settled()).answers).toBe(acknowledged)
      for (let left = count; left > 0; ) {
        const { points } = await visitor.round()
        const some = Math.min(left, points.filter(({ answer }) => !answer).length)
        await answerSome(visitor, some)
        left -= some
        acknowledged += some
      }
      if (life === 2) await visitor.settled() // the last round is open, as in the other life
      await end(child, 'SIGKILL')
    }
    expect(acknowledged).toBe(30)
    expect(firstDifference(await recordOf(killed), await recordOf(spared))).toBeUndefined()
  })
})

it('Ctrl-C ends it well, and says how to go on', async () => {
  const directory = freshDirectory()
  const { child, url, said } = await start(directory, begin)
  const page = await visit(url)
  await answerSome(page, 3)
  const stream = await page.events()
  expect(await end(child, 'SIGINT')).toBe(130)
  expect(said()).toBe('\nstopped: every answer so far is kept, and this continues:\n  alis label --project d.alis\n')
  await stream.stop()
  expect((await recordOf(directory))[0]!.answers).toHaveLength(3)
})

it('predictions are audited by people where nobody else answers, and the same command goes on', async () => {
  const directory = freshDirectory()
  const rows = [...truth].slice(0, 300).map(([id, digit], k) => `${id},${k % 6 === 0 ? (Number(digit) + 1) % 10 : digit}`)
  writeFileSync(join(directory, 'guesses.csv'), ['id,guess', ...rows, ''].join('\n'))
  const args = ['audit', 'guesses.csv', '--prediction', 'guess', '--tolerance', '0.1', '--annotator', 'ada']
  const { child, url, said } = await start(directory, args)
  const page = await visit(url)
  const first = await page.answerRound()
  expect(first).toMatchObject({ purpose: 'audit', number: 1 })
  expect(first.points).toHaveLength(10)
  const before = await page.until(({ phase, audit }) => phase.kind === 'asking' && audit?.steps.length === 1)
  expect(before).toMatchObject({ purpose: 'audit', name: 'guesses', audit: { metric: 'error', about: 'guesses.csv' } })
  expect(await end(child, 'SIGTERM')).toBe(130)
  expect(said()).toContain('alis audit guesses.csv --prediction guess --tolerance 0.1')
  const again = await start(directory, args)
  const later = await (await visit(again.url)).settled()
  expect({ audit: later.audit, phase: later.phase }).toEqual({ audit: before.audit, phase: before.phase })
  await end(again.child, 'SIGTERM')
  const project = await openProject(join(directory, 'guesses.alis'), { mode: 'read' })
  expect(new Set((await project.answers()).map(({ annotator }) => annotator))).toEqual(new Set(['ada']))
  await project.close()
})
