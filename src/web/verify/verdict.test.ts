import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { identityOf } from '../../core/hash.ts'
import { readCsv } from './csv.ts'
import { verdictOn } from './verdict.ts'

const folder = join(import.meta.dirname, '../../../test/golden/certificates')
const read = (name: string) => ({ name, text: readFileSync(join(folder, name), 'utf8') })
const pool = read('pool.csv')

describe('the verdict', () => {
  const names = readdirSync(folder).filter((name) => /^[2-9].*\.json$/.test(name))

  it.each(names)('on %s is that it follows', async (name) => {
    const { fault, claims } = await verdictOn(read(name), pool)
    expect(fault).toBeUndefined()
    expect(claims[0]).toMatch(/^With 95 % confidence|is not proven yet/)
  })

  it('names the first difference: in the certificate, its signature, the pool, or the white space', async () => {
    const { text } = read('2-questions.json')
    const { seal: _, signature: __, ...content } = JSON.parse(text)
    const faultOf = async (draft: object, other = pool) =>
      (await verdictOn({ name: 'x.json', text: `${JSON.stringify(draft, null, 2)}\n` }, other)).fault
    const resealed = (change: object) => ({ ...content, ...change, seal: identityOf({ ...content, ...change }) })
    expect(await faultOf(resealed({ seed: content.seed + 1 }))).toMatch(/^rounds\.0\.draws\.0\.id: must be/)
    expect(await faultOf({ ...content, ...JSON.parse(text), claim: 'All is well.' })).toMatch(/^claim: must be/)
    expect(await faultOf({ ...JSON.parse(text), seal: `sha256:${'0'.repeat(64)}` })).toMatch(/^signature: must be made with/)
    const other = {
      name: 'pool.csv',
      text: pool.text.replace(/^n0,(\w+)/m, (_, label) => `n0,${label === 'owl' ? 'cat' : 'owl'}`),
    }
    expect(await faultOf(JSON.parse(text), other)).toMatch(/^model: must be/)
    expect(await faultOf(JSON.parse(text), { name: 'pool.csv', text: pool.text.replace(/^n0,/m, 'n00,') })).toMatch(/^pool\.hash/)
    expect((await verdictOn({ name: 'x.json', text: JSON.stringify(JSON.parse(text)) }, pool)).fault).toMatch(/white space/)
  })

  it('is an error where a file is of another kind', async () => {
    await expect(verdictOn(pool, pool)).rejects.toThrow('must be a certificate')
    await expect(verdictOn(read('2-best.json'), { name: 'x.csv', text: 'a,b\n1,2\n' })).rejects.toThrow(
      'a column called "id" is required',
    )
    const { columns: _, ...model } = JSON.parse(read('2-best.json').text)
    const ofModel = { name: 'x.json', text: JSON.stringify({ ...model, columns: {} }) }
    await expect(verdictOn(ofModel, pool)).rejects.toThrow('one about predictions of a file is required')
  })
})

describe('rows are read', () => {
  it.each([
    ['a,b\n1,2\n', [['1'], ['2']]],
    ['\ufeffa;b\r\n1;2\r\n3;4', [['1', '3'], ['2', '4']]], // biome-ignore format: columns
    ['a\tb\n\t"x\ty"\n', [[null], ['x\ty']]],
    ['a,b\n"say ""hi""\nthere, you",\n', [['say "hi"\nthere, you'], [null]]],
    ['"a","b"\n"",5"\n', [[null], ['5"']]],
    ['a,b\n1,2\n\n3,', [['1', '3'], ['2', null]]], // biome-ignore format: columns
  ])('%j', (text, [a, b]) => {
    const table = readCsv(text)
    expect([table.column('a'), table.column('b')]).toEqual([a, b])
  })

  it.each([
    ['', 'must begin with a header line'],
    ['a,b\n1\n', '2 cells a line are required, got 1 in row 1'],
    ['a,b\n"1,2\n', 'a quoted cell must end'],
    ['a,b\n"1"2,3\n', 'a quoted cell must end'],
  ])('or refused: %j', (text, says) => expect(() => readCsv(text)).toThrow(says))
})
