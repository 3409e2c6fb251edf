import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sources } from '../scripts/zones.js'
import { learners } from '../src/learners/catalogue.ts'
import { losses } from '../src/losses/catalogue.ts'
import { metricNames } from '../src/metrics/catalogue.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

describe.each(['A loss', 'A metric', 'A learner'])('%s', (title) => {
  const [, section] = guide.split(`### ${title}\n`)
  const steps = section!
    .split(/^#/m)[0]!
    .split(/^\d\. /m)
    .slice(1)

  it('takes three files: a new one, a catalogue and a test', () => {
    const [fresh, catalogue, test] = steps.map((step) => /^\[?`?([\w./-]+)/.exec(step)![1]!)
    expect(steps).toHaveLength(3)
    expect(fresh).toMatch(/^src\/[a-z]+\/[a-z-]+\.ts$/)
    expect(catalogue).toBe(`${dirname(fresh!)}/catalogue.ts`)
    expect(test).toBe(`${dirname(fresh!)}/${dirname(fresh!).split('/')[1]}.test.ts`)
    for (const path of [catalogue, test]) expect(existsSync(join(root, path!)), path).toBe(true)
  })
})

/** Which of some names a text has as strings, or as keys of an object. */
function namesIn(text: string, names: readonly string[]): string[] {
  const code = text.replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
  return names.filter((name) => new RegExp(`'${name}'|^\\s*${name}:|[{,] ${name}:`, 'm').test(code))
}

describe('names are listed in their catalogue and nowhere else', () => {
  it.each([
    ['metrics', metricNames],
    ['losses', Object.keys(losses)],
    ['learners', Object.keys(learners)],
  ])('of %s', (room, names) => {
    const most = Math.min(3, names.length)
    const lists = [...sources()].filter(([path, text]) => !path.startsWith(`${room}/`) && namesIn(text, names).length >= most)
    expect(lists.map(([path]) => path)).toEqual([])
  })

  it('and a second list is found, whatever its form', () => {
    for (const list of [
      "const known = ['logistic', 'squared', 'squared-hinge'] as const",
      "readonly loss: 'logistic' | 'squared' | 'squared-hinge'",
      "const titles = { logistic: 1, squared: 2, 'squared-hinge': 3 }",
      '  logistic: 1,\n  squared: 2,\n  hinge: 3,',
    ])
      expect(namesIn(list, Object.keys(losses)).length).toBeGreaterThanOrEqual(3)
    expect(namesIn('/** logistic, squared, hinge */\nconst loss = logistic', Object.keys(losses))).toEqual([])
  })
})

it('the page has the names of losses, and none of their formulas', () => {
  const folder = join(root, 'dist/web/assets')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const page = scripts.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  expect(page).toContain('squared-hinge')
  expect(page).not.toContain('pseudoLoss')
})
