// The page that verifies, as a file from a disk: without a server, and without a network.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uniform } from '../../src/core/randomness.ts'
import { alisHere } from '../in-process.ts'
import { problems } from './axe.ts'
import { opened } from './testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-verify-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const classes = ['cat', 'dog', 'owl']
beforeAll(async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => {
    const chance = 0.9 * uniform(4, 'chance', `${i}`) ** 9
    const own = Math.floor(3 * uniform(4, 'class', `${i}`)) % 3
    const isWrong = uniform(4, 'wrong', `${i}`) < chance
    return `n${i},${classes[own]},${(1 - chance).toFixed(6)},${classes[isWrong ? (own + 1) % 3 : own]}`
  })
  writeFileSync(at('predictions.csv'), ['id,label,p,y', ...rows, ''].join('\n'))
  const columns = ['--prediction', 'label', '--confidence', 'p', '--truth', 'y', '--metric', 'error,recall:dog']
  await alisHere(['audit', at('predictions.csv'), ...columns, '--budget', '200', '--certificate', at('audit.json'), '--quiet'])
  const { code } = await alisHere(['verify', '--page', at('verify.html')])
  expect(code).toBe(0)
  writeFileSync(at('forged.json'), readFileSync(at('audit.json'), 'utf8').replace(/"low": 0\.\d/, '"low": 0.9'))
})

it('is one file below 500 kB, does an audit of 20,000 points again, and names what differs', async () => {
  expect(statSync(at('verify.html')).size).toBeLessThan(500_000)
  const address = async () => pathToFileURL(at('verify.html')).href
  const { page } = await opened({ address }, { offline: true })
  expect(await problems(page, 'at first')).toEqual([])
  const verdict = page.getByRole('status')
  const give = (...names: string[]) => page.locator('#files').setInputFiles(names.map(at))

  await give('audit.json')
  await verdict.getByText('Now the predictions.').waitFor()
  await give('predictions.csv')
  await verdict.getByRole('heading', { name: 'Verified', exact: true }).waitFor({ timeout: 60_000 })
  expect(await verdict.getByRole('listitem').allTextContents()).toHaveLength(2)
  expect(await verdict.textContent()).toMatch(
    /Done again in \d+\.\d seconds.*The seed is only declared to be fresh.*none was kept/s,
  )
  const found = await problems(page, 'verified')
  expect(found.filter((each) => !each.includes('says “points” in “With 95 %'))).toEqual([]) // which are words of the certificate

  await give('forged.json')
  await verdict.getByRole('heading', { name: 'Not verified' }).waitFor()
  expect(await verdict.textContent()).toMatch(/The first difference: .*low: must be 0\.\d+, got 0\.9/)
  await give('verify.html') // which is no table
  await verdict.getByText('pool: ').waitFor()
})
