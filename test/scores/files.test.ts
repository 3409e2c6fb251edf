import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { columnsLearner } from '../../src/learners/columns-learner.ts'
import { learn } from '../../src/loop.ts'
import { loadPool } from '../../src/projects/load-pool.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { jsonLines } from '../command.ts'
import { alisHere as alis } from '../in-process.ts'
import { scoredLines, scoredPoints } from './scored-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-scores-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const [old, refreshed] = [scoredPoints(600), scoredPoints(600, 2)]
const options = ['--scores-column', 'p', '--label', 'y', '--seed', '4', '--json']
const roundsIn = (stdout: string) => jsonLines(stdout).filter(({ type }) => type === 'round')

describe('scores in a column of a file', () => {
  it.each(['memory', 'duckdb'])('are looked at anew before every round in one process, with %s', async (engine) => {
    const path = file(`${engine}.jsonl`, scoredLines(old))
    const data = await loadPool(path, { scores: ['p'], label: 'y' }, 4, {}, { engine: engine as 'memory' })
    const plan = { strategy: strategies.alis, classes: data.classes, seed: 4, rounds: 3, start: 5, batch: 5 }
    const learner = columnsLearner(2, data.look!)
    const store = memoryStore()
    for await (const { round } of learn({ ...plan, engine: data.engine(), store, oracle: data.answers!(), learner }))
      if (round === 0) file(`${engine}.jsonl`, scoredLines(refreshed.toReversed())) // in another order, too
    await data.close()
    const rounds = await store.rounds()
    const models = rounds.map(({ model }) => model)
    expect(models[1]).toBe(models[0]) // was looked at before the file was written anew
    expect(models[2]).not.toBe(models[1])
    expect(models[3]).toBe(models[2])
    // The scores on record are those of the model on record.
    const said = (points: typeof old) => new Map(points.map(({ id, p }) => [id, p]))
    for (const [k, { draws }] of rounds.entries())
      for (const { id, scores } of draws)
        expect(1 / (1 + Math.exp(-scores[0]!))).toBeCloseTo(said(k < 2 ? old : refreshed).get(id)!, 5)
    expect(new Set(rounds.flatMap(({ draws }) => draws.map(({ id }) => id))).size).toBe(20) // no point twice
  })

  it.each(['memory', 'duckdb'])('of other points are refused as often as one looks, with %s', async (engine) => {
    const path = file('others.jsonl', scoredLines(old))
    const data = await loadPool(path, { scores: ['p'], label: 'y' }, 4, {}, { engine: engine as 'memory' })
    const first = await data.look!()
    file('others.jsonl', scoredLines(refreshed.slice(1)))
    for (let k = 0; k < 2; k++) await expect(data.look!()).rejects.toThrow('the points must be those that were there')
    file('others.jsonl', scoredLines(old.toReversed()))
    expect(await data.look!()).toEqual(first)
    await data.close()
  })

  it('are certified as they are, and verified for as long as they are', async () => {
    const path = file('certified.jsonl', scoredLines(old))
    const project = join(folder, 'certified.alis')
    const run = ['run', path, ...options, '--rounds', '1', '--project', project]
    expect(await alis(run)).toMatchObject({ code: 0, stderr: '' })
    file('certified.jsonl', scoredLines(refreshed.toReversed()))
    const again = await alis([...run.slice(0, -4), '--rounds', '2', '--project', project])
    expect(`${again.code} ${again.stderr}`).toBe('0 ')
    const certified = await alis(['certify', project, '--budget', '60', '--json'])
    expect(`${certified.code} ${certified.stderr}`).toBe('0 ')
    const { certificate } = jsonLines(certified.stdout).at(-1)
    const [model] = roundsIn(again.stdout).map(({ scores }) => scores)
    expect(JSON.parse(readFileSync(certificate, 'utf8')).model).toBe(model)
    const verify = ['verify', certificate, '--project', project, '--json']
    expect(jsonLines((await alis([...verify, '--engine', 'duckdb'])).stdout).at(-1)).toMatchObject({ verified: true })
    const status = await alis(['status', project])
    expect(status.stdout).toContain(`scores in p, as they were last seen: ${model}`)

    file('certified.jsonl', scoredLines(old))
    const refused = await alis(verify)
    expect(refused.code).toBe(2)
    expect(refused.stdout).toContain('certificate: model')
    file('certified.jsonl', scoredLines(old.slice(1)))
    expect((await alis(verify)).stdout).toContain('the pool must be as it was when the project began')
    const exported = await alis(['export', project, '--only', 'predictions'])
    expect(exported).toMatchObject({ code: 2, stderr: expect.stringContaining('got scores in columns that are refreshed') })
    expect((await alis(['export', project])).stdout).toContain('labels.csv')
  })
})

describe('scores that cannot be are refused', () => {
  const csv = (cell: string) => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i},${i === 9 ? cell : 0.5},x,0.5,${i % 2}`)
    return file('odd.csv', `id,p,q,r,y\n${rows.join('\n')}\n`)
  }
  it.each([
    ['a percentage', '55', ['p'], 'p: a probability from 0 to 1 is required, got 55.0 for "9"'],
    ['less than nothing', '-0.25', ['p'], 'p: a probability from 0 to 1 is required, got -0.25 for "9"'],
    ['an empty cell', '', ['p'], 'p: a probability from 0 to 1 is required, got nothing for "9"'],
    ['a text', '0.1', ['q'], '--scores-column: q must hold probabilities, got texts such as "x"'],
    ['no such column', '0.1', ['pp'], '--scores-column: must be a column of the table, got "pp"'],
    ['the answers', '0.1', ['y'], '--scores-column: a column can have one role, got "y"'],
    ['too many', '0.1', ['p', 'r'], '--scores-column: one column is required for two classes, the probability of "1", got 2'],
  ])('%s', async (_, cell, scores, message) => {
    await expect(loadPool(csv(cell), { label: 'y', scores }, 1)).rejects.toThrow(message)
  })

  it.each([
    ['a loss', ['--loss', 'squared'], '--scores-column: must stand without --loss, got both'],
    ['a strategy that needs features', ['--strategy', 'core-set'], 'strategy: one that draws by scores alone is required'],
  ])('with %s', async (_, words, message) => {
    const { code, stderr } = await alis(['run', csv('0.1'), '--label', 'y', '--scores-column', 'p', ...words])
    expect(`${code} ${stderr}`).toContain(`2 alis: ${message}`)
  })

  it('without ids, or without a column for each class', async () => {
    const path = file('rows.csv', `p,body,y\n${Array.from({ length: 20 }, (_, i) => `0.${i},b ${i},${i % 3}`).join('\n')}\n`)
    const reading = { label: 'y', scores: ['p'] }
    await expect(loadPool(path, reading, 1)).rejects.toThrow('a column of ids is required for scores that are refreshed')
    const needed = '--scores-column: a column for each of the classes 0, 1, 2, and named like it, is required, got p'
    await expect(loadPool(path, { ...reading, id: 'body' }, 1)).rejects.toThrow(needed)
  })
})
