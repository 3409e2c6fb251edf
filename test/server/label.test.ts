import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventSchema } from '../../src/protocol/events.ts'
import { stateSchema } from '../../src/protocol/project.ts'
import { type Grant, openRoundSchema } from '../../src/protocol/rounds.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { freshDirectory } from '../endings.ts'
import { startPage, truth, visit } from './page.ts'

describe('a round by the API', () => {
  it('is answered, closes, and the next one comes from a model that has learned', async () => {
    const page = await startPage()
    const first = await page.round()
    expect(openRoundSchema.parse(first)).toEqual(first)
    expect(first).toMatchObject({ round: 0, number: 1, purpose: 'learn' })
    expect(first.points.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    for (const { content } of first.points) {
      expect(content.fields).toEqual([]) // the answer is a column of the file
      expect(content.cells).toHaveLength(64)
      expect(Math.max(...content.cells!)).toBeLessThanOrEqual(1)
    }
    for (const [k, { id }] of first.points.entries()) {
      const { status, body } = await page.answer(0, id, truth.get(id)!)
      expect({ status, body }).toEqual({ status: 200, body: { answered: k + 1, of: 10, isClosed: k === 9 } })
    }
    const second = await page.answerRound()
    expect(second.round).toBe(1)
    const third = await page.round()
    expect(third.points.some(({ id }) => truth.has(id))).toBe(true)
    const drawn = [...first.points, ...second.points, ...third.points].map(({ id }) => id)
    expect(new Set(drawn).size).toBe(30)

    const project = await page.until(({ forecast }) => forecast !== undefined)
    expect(stateSchema.parse(await page.state()).project).toBeDefined()
    expect(project).toMatchObject({ points: 1797, answers: 20, view: { kind: 'bitmap', width: 8, height: 8 } })
    expect(project.byClass.reduce((sum, { answers }) => sum + answers, 0)).toBe(20)
    expect(project.model!.after).toBe(2)
    const [uniform, learned] = project.rounds
    expect(uniform).toMatchObject({ number: 1, strategy: 'uniform', learnedFrom: 0, answers: 10 })
    expect(uniform!.estimate).toBeUndefined()
    expect(learned).toMatchObject({ number: 2, strategy: 'alis', learnedFrom: 10, answers: 10 })
    const { estimate, weights } = learned!
    expect(estimate).toMatchObject({ level: 0.95, answers: 10, isRevised: false })
    expect(estimate!.low! < estimate!.high!).toBe(true)
    expect(weights!.counts.reduce((a, b) => a + b)).toBe(10)
    expect(weights!.largest).toBeLessThanOrEqual(weights!.largestPossible!)
    expect(project.forecast!.map(({ tolerance }) => tolerance)).toEqual([0.1, 0.05, 0.03, 0.02, 0.01])
  })

  it('knows points by their ids, whatever these look like', async () => {
    const directory = freshDirectory()
    const ids = ['a/b', 'c%2Fd', 'é"\'', '?x=1#y', '  ', '../../z', '😀', '__proto__', 'a'.repeat(900)]
    const rows = ids.map((id, k) => `"${id.replaceAll('"', '""')}",${k},${(k * 7) % 5}`)
    writeFileSync(join(directory, 'pool.csv'), ['id,x,y', ...rows, ''].join('\n'))
    const classes = ['no', 'yes']
    const plan = { strategy: 'alis', batch: 9, budget: 9 }
    const beginning = {
      path: join(directory, 'pool.csv'),
      wishes: {},
      classes,
      plan,
      start: 9,
      loss: 'logistic',
      l2: 1,
      seed: 1,
    } as const
    const labelling = { question: '?', guidelines: '', classes: keyed(classes) }
    const page = await startPage({ directory, work: { project: 'p.alis', source: { kind: 'new', beginning, labelling } } })
    const { points } = await page.round()
    expect(points.map(({ id }) => id).sort()).toEqual([...ids].sort())
    for (const { id, content } of points) {
      expect(content.id).toBe(id)
      expect((await page.answer(0, id, 'yes')).status).toBe(200)
    }
    expect(await page.settled()).toMatchObject({ phase: { kind: 'done' }, answers: 9 })
  })

  it('changes the plan from the next round on', async () => {
    const page = await startPage()
    await page.round()
    const plan = { strategy: 'uniform', batch: 4, budget: 18 }
    expect((await page.call('POST', '/plan', plan)).status).toBe(204)
    expect(await page.project()).toMatchObject({ nextPlan: plan, plan: { strategy: 'alis' } })
    await page.answerRound()
    expect((await page.answerRound()).points).toHaveLength(4)
    await page.answerRound()
    const { phase, nextPlan, answers } = await page.settled()
    expect({ phase, nextPlan, answers }).toEqual({ phase: { kind: 'done' }, nextPlan: undefined, answers: 18 })
    await page.call('POST', '/plan', { ...plan, budget: 20 }) // more is always possible
    expect((await page.round()).points).toHaveLength(2)
    expect(await page.call('POST', '/plan', { ...plan, strategy: 'magic' })).toMatchObject({ status: 400 })
  })
})

describe('pages', () => {
  it('hear what happens, as it happens, and first how things stand; what one holds is free when it leaves', async () => {
    const page = await startPage()
    const other = await visit(page.served.address(), 'other')
    const { heard, stop: leave, reply } = await other.events()
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
    const { round, points } = await page.round()
    await page.answer(round, points[0]!.id, '1')
    await page.call('DELETE', `/rounds/${round}/answers/${points[0]!.id}?page=page`)
    await page.answerRound()
    await page.settled()
    await expect.poll(() => heard.filter(({ type }) => type === 'answer').length).toBe(12)
    for (const event of heard) expect(eventSchema.parse(event)).toBeDefined()
    expect(heard[0]!.type).toBe('project')
    const answers = heard.filter((event) => event.type === 'answer')
    expect(answers[0]).toEqual({ type: 'answer', round, id: points[0]!.id, label: '1', page: 'page' })
    expect(answers[1]).toEqual({ type: 'answer', round, id: points[0]!.id, page: 'page' })
    await expect.poll(() => heard.at(-1)).toMatchObject({ type: 'project', project: { phase: { kind: 'asking', round: 1 } } })
    const phases = heard.flatMap((event) => (event.type === 'project' ? [event.project.phase] : []))
    expect(phases.some((phase) => phase.kind === 'opening')).toBe(true)

    const next = await page.round()
    const ids = next.points.map(({ id }) => id)
    const claim = async (by: typeof other, wanted: readonly string[]) =>
      (await by.call<Grant>('POST', `/rounds/${next.round}/claims`, { page: by.name, ids: wanted })).body.granted
    expect(await claim(other, ids.slice(0, 3))).toEqual(ids.slice(0, 3))
    expect(await claim(page, ids.slice(2, 5))).toEqual(ids.slice(3, 5))
    await leave()
    await expect.poll(() => claim(page, ids.slice(0, 3))).toEqual(ids.slice(0, 3))
  })

  it('find everything as it was after a restart, with a secret of their own', async () => {
    const page = await startPage()
    await page.answerRound()
    await page.answerRound()
    const open = await page.round()
    await page.answer(open.round, open.points[0]!.id, null)
    const before = await page.until(({ forecast }) => forecast !== undefined)
    const { directory } = page.served.projectHost
    const port = Number(new URL(page.origin).port)
    await page.served.close()
    const again = await startPage({ directory, port, work: { project: 'digits.alis', source: { kind: 'known' } } })
    await again.until(({ forecast }) => forecast !== undefined)
    expect(await page.call('GET', '/state')).toMatchObject({ status: 401 }) // the page that was open all along
    expect(await again.project()).toEqual(before)
    expect(await again.round()).toEqual({
      ...open,
      points: open.points.map((point, k) => (k === 0 ? { ...point, answer: { label: null } } : point)),
    })
  })
})
