import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('..', import.meta.url).pathname
const examples = readdirSync(new URL('../examples/', import.meta.url)).filter((name) => name.endsWith('.ts'))
const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })

it.each(examples)('%s runs and prints something', (name) => {
  const out = run(`examples/${name}`)
  expect(out.trim().split('\n').length).toBeGreaterThanOrEqual(3)
  expect(out).not.toMatch(/NaN|undefined/)
})

describe('the ingredient of 03-your-own-strategy.ts', () => {
  const example = readFileSync(new URL('../examples/03-your-own-strategy.ts', import.meta.url), 'utf8')

  /** What is printed of each strategy, if this is the value of the new ingredient. */
  function printed(value?: string): Record<string, string> {
    const formula = /value: \(\{ probabilities \}\) => .*,/
    expect(example).toMatch(formula)
    const code = value === undefined ? example : example.replace(formula, `value: ${value},`)
    const out = run('--input-type=module-typescript', '--eval', code)
    return Object.fromEntries(
      out
        .trim()
        .split('\n')
        .map((line) => line.split(': ') as [string, string]),
    )
  }

  it('decides the draws: were it the same everywhere, they would be uniform', () => {
    const [said, constant] = [printed(), printed('() => 1')]
    expect(said.gini).not.toBe(said.uniform)
    expect(said.gini).not.toBe(said.alis)
    expect(constant).toEqual({ ...said, gini: said.uniform })
  })
})
