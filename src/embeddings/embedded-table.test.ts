import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { closing } from '../core/closing.ts'
import { openTable } from '../sources/duckdb-file.ts'
import { embeddedTable } from './embedded-table.ts'
import type { Embedder } from './embedder.ts'

const base = mkdtempSync(join(tmpdir(), 'alis-embedded-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let folder: string
let path: string
const texts = Array.from({ length: 100 }, (_, i) => (i % 7 === 3 ? '' : `text ${i}`))
beforeEach(() => {
  folder = mkdtempSync(join(base, 'pool-'))
  path = join(folder, 'pool.csv')
  writeFileSync(path, `id,body,x\n${texts.map((text, i) => `p${i},${text},${i}`).join('\n')}\n`)
})

/** A model of two numbers a text: its number, and its length. Fails when it has been asked `most` times. */
function counting({ most = Number.POSITIVE_INFINITY } = {}) {
  const asked: string[][] = []
  const open = async (): Promise<Embedder> => ({
    async embed(values) {
      if (asked.length >= most) throw new Error('power cut')
      asked.push([...values])
      return values.map((value) => Float32Array.of(Number(value.slice(5)), value.length))
    },
    async close() {},
  })
  return { asked, open }
}

/** The vectors of the rows, as a learner of features gets them, between two other columns. */
async function vectors(own: ReturnType<typeof counting>, model = 'some/model') {
  return closing(openTable(path), async (table) => {
    const made = await embeddedTable(table, { path, columns: ['body'], model, open: own.open })
    const column = made.columns.at(-1)!
    const rows: number[][] = []
    const requests = [
      { name: 'x', as: 'number' },
      { name: 'body embedded', as: 'vector' },
      { name: 'id', as: 'text' },
    ] as const
    for await (const { start, rows: count, columns } of made.batches(requests)) {
      const [x, vector, id] = columns
      for (let i = 0; i < count; i++) {
        expect([x!.values[i], id!.values[i]]).toEqual([start + i, `p${start + i}`])
        rows.push(Array.from((vector!.values as Float32Array).subarray(2 * i, 2 * i + 2)))
      }
    }
    return { column, rows, hash: made.hash, plain: table.hash }
  })
}

const kept = () => {
  const own = join(folder, '.alis-embeddings')
  return readdirSync(own)
    .sort()
    .map((name) => [name, readFileSync(join(own, name), 'hex')])
}

describe('a table with the vectors of a column', () => {
  it('has one for each row, and none where the cell is empty', async () => {
    const { column, rows, hash, plain } = await vectors(counting())
    const missing = texts.filter((text) => text === '').length
    expect(column).toMatchObject({ name: 'body embedded', kind: 'vector', width: 2, missing, distinct: 100 - missing })
    expect(rows).toEqual(texts.map((text, i) => (text === '' ? [Number.NaN, Number.NaN] : [i, text.length])))
    expect(hash).not.toBe(plain)
  })

  it('asks the model once for each text, however often it is opened, and another model anew', async () => {
    const first = counting()
    const before = await vectors(first)
    expect(first.asked.flat()).toEqual(texts.filter((text) => text !== ''))
    const second = counting()
    expect(await vectors(second)).toEqual(before)
    expect(second.asked).toEqual([])
    expect((await vectors(second, 'another/model')).hash).not.toBe(before.hash)
    expect(second.asked.flat()).toEqual(first.asked.flat())
  })

  it('goes on where it was cut off, also in the midst of a vector, and comes to the same bytes', async () => {
    await vectors(counting())
    const whole = kept()
    rmSync(join(folder, '.alis-embeddings'), { recursive: true })
    const cut = counting({ most: 2 })
    await expect(vectors(cut)).rejects.toThrow('body: values that the model can read are required, got power cut')
    const [[name]] = kept() as [[string, string]]
    const file = join(folder, '.alis-embeddings', name)
    const torn = readFileSync(file)
    expect(torn.length).toBe(2 * 32 * 8)
    writeFileSync(file, torn.subarray(0, 40 * 8 + 3))
    const rest = counting()
    await vectors(rest)
    expect(rest.asked.flat()).toEqual(texts.slice(32).filter((text) => text !== ''))
    expect(kept()).toEqual(whole)
  })

  it.each([
    ['x', '--embed: a column of texts or images is required, got "x"'],
    ['none', '--embed: a column of texts or images is required, got "none"'],
  ])('refuses the column %s', async (column, message) => {
    const making = closing(openTable(path), (table) =>
      embeddedTable(table, { path, columns: [column], model: 'm', ...counting() }),
    )
    await expect(making).rejects.toThrow(message)
  })

  it('refuses a folder in which nothing can be written', async () => {
    writeFileSync(join(folder, '.alis-embeddings'), '')
    await expect(vectors(counting())).rejects.toThrow('must be a place to keep vectors in')
  })
})
