// Stands in for `vitest` while mutants are tried: the same expectations, but tests are only collected, to be run as often as it takes.
import { expect, vi } from 'vitest'

export { expect, vi }

type Body = (...args: never[]) => unknown

export interface CollectedTest {
  readonly name: string
  readonly run: () => Promise<void>
}

interface Suite {
  readonly name: string
  readonly hooks: Readonly<Record<'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll', Body[]>>
  readonly parent: Suite | undefined
}

let tests: CollectedTest[] = []
let suite = suiteOf('', undefined)
let opened = new Set<Suite>()

/** Tests of a file while it is imported. Hooks for all tests of a suite come before its first and after the last of the file. */
export async function collect(load: () => Promise<unknown>): Promise<{ tests: CollectedTest[]; finish: () => Promise<void> }> {
  tests = []
  opened = new Set()
  suite = suiteOf('', undefined)
  await load()
  const begun = opened
  return {
    tests,
    finish: async () => {
      for (const { hooks } of [...begun].reverse()) for (const hook of hooks.afterAll) await hook()
    },
  }
}

function suiteOf(name: string, parent: Suite | undefined): Suite {
  return { name, parent, hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] } }
}

/** From the outermost to the innermost. */
function chainOf(innermost: Suite): Suite[] {
  return innermost.parent ? [...chainOf(innermost.parent), innermost] : [innermost]
}

function addTest(name: string, body: Body): void {
  const chain = chainOf(suite)
  const begun = opened
  const run = async () => {
    for (const each of chain) {
      if (begun.has(each)) continue
      begun.add(each)
      for (const hook of each.hooks.beforeAll) await hook()
    }
    for (const { hooks } of chain) for (const hook of hooks.beforeEach) await hook()
    try {
      await body()
    } finally {
      for (const { hooks } of chain.toReversed()) for (const hook of hooks.afterEach) await hook()
    }
  }
  tests.push({ name: `${chain.map((each) => each.name).join(' ')} ${name} (${tests.length})`, run })
}

function addSuite(name: string, body: Body): void {
  const outer = suite
  suite = suiteOf(name, outer)
  body()
  suite = outer
}

/** `it(name, body)`, `it(name, options, body)`, and for the rows of a table. */
function callable(add: (name: string, body: Body) => void) {
  const one = (name: string, ...rest: unknown[]) => add(name, rest.find((each) => typeof each === 'function') as Body)
  const each =
    (rows: readonly unknown[]) =>
    (name: string, ...rest: unknown[]) => {
      const body = rest.find((value) => typeof value === 'function') as (...args: unknown[]) => unknown
      for (const row of rows) add(name, () => (Array.isArray(row) ? body(...row) : body(row)))
    }
  const onlyIf = (condition: unknown) => (condition ? one : () => {})
  return Object.assign(one, { each, runIf: onlyIf, skipIf: (condition: unknown) => onlyIf(!condition) })
}

export const it = callable(addTest)
export const describe = callable(addSuite)
export const beforeAll = (hook: Body) => suite.hooks.beforeAll.push(hook)
export const beforeEach = (hook: Body) => suite.hooks.beforeEach.push(hook)
export const afterEach = (hook: Body) => suite.hooks.afterEach.push(hook)
export const afterAll = (hook: Body) => suite.hooks.afterAll.push(hook)
