// Runs tests for Stryker in its own process: vitest would start a thread for every mutant, and load all that it needs anew.
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Coverage = Record<string, number>

/** What instrumented sources read and write; mutants are numbered. */
const shared = {
  active: -1,
  hitCount: 0,
  hitLimit: Number.POSITIVE_INFINITY,
  stop: (): never => {
    throw new Error('a mutant is come past without end')
  },
  isCounting: false,
  hits: new Uint32Array(2 ** 16),
}
Object.assign(globalThis, { alisMutants: shared })

interface MutantRun {
  readonly activeMutant: { readonly id: string }
  /** Without it all tests are run. */
  readonly testFilter?: readonly string[]
  readonly hitLimit?: number
  /** The file that it is in. */
  readonly sandboxFileName: string
  readonly mutantActivation: 'runtime' | 'static'
}

/** Above 0 while a mutant is tried that changes what modules do when they are loaded: then they are loaded anew. */
let generation = 0
let generations = 0
let loads = 0
/** Modules and what they import, without queries. */
const imports = new Map<string, Set<string>>()

class Runner {
  readonly #durations = new Map<string, number>()
  #failure: unknown

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    const sandbox = pathToFileURL(`${process.cwd()}/`).href
    registerHooks({
      resolve: (specifier, context, next) => {
        if (specifier === 'vitest' && context.parentURL !== collectorUrl()) return { url: collectorUrl(), shortCircuit: true }
        const found = next(specifier, context)
        noteImport(context.parentURL ?? '', found.url)
        const isOurs = generation > 0 && found.url.startsWith(sandbox) && found.url !== collectorUrl()
        return isOurs && !/node_modules|\?/.test(found.url) ? { ...found, url: `${found.url}?generation=${generation}` } : found
      },
      load: (url, context, next) => {
        const loaded = next(url, context)
        return url.startsWith(sandbox) && /\.ts(\?|$)/.test(url)
          ? { ...loaded, source: withQuickCounts(String(loaded.source)) }
          : loaded
      },
    })
    for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, (error) => (this.#failure = error))
    await import(urlOf('test/setup.ts'))
  }

  /** All tests, and which mutants they come past. What the body of a test file comes past, all of its tests do. */
  async dryRun({ files = [] }: { readonly files?: readonly string[] }) {
    shared.isCounting = true
    for (const file of files) await import(pathToFileURL(file).href)
    const mutantCoverage = { static: takeHits(), perTest: {} as Record<string, Coverage> }
    const tests: { id: string; name: string; status: 0 | 1; timeSpentMs: number; failureMessage?: string }[] = []
    for (const file of testFiles()) {
      const { tests: collected, finish } = await this.#collect(file)
      const body = takeHits()
      if (!files.some((source) => isLoadedBy(file, source))) continue
      for (const { name, run } of collected) {
        const id = `${file}#${name}`
        const start = performance.now()
        const failureMessage = await this.#failureOf(run)
        const common = { id, name, timeSpentMs: performance.now() - start }
        this.#durations.set(id, common.timeSpentMs)
        tests.push(failureMessage === undefined ? { ...common, status: 0 } : { ...common, status: 1, failureMessage })
        mutantCoverage.perTest[id] = { ...body, ...takeHits() }
      }
      await finish()
      takeHits()
    }
    shared.isCounting = false
    return { status: 'complete', tests, mutantCoverage }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, sandboxFileName, mutantActivation }: MutantRun) {
    const wanted = testFilter && new Set(testFilter)
    const isWanted = (file: string, id: string) => wanted?.has(id) ?? isLoadedBy(file, sandboxFileName)
    const files = testFiles().filter((file) => !testFilter || testFilter.some((id) => id.startsWith(`${file}#`)))
    Object.assign(shared, { active: Number(activeMutant.id), hitCount: 0, hitLimit: hitLimit ?? Number.POSITIVE_INFINITY })
    if (mutantActivation === 'static') generation = ++generations
    try {
      for (const file of files.toSorted((a, b) => this.#timeOfAll(a) - this.#timeOfAll(b))) {
        const failed = await this.#try(file, (id) => isWanted(file, id))
        if (failed && shared.hitCount > shared.hitLimit) return { status: 'timeout', reason: 'hit limit' }
        if (failed) return { status: 'killed', killedBy: [failed.id], failureMessage: failed.message, nrOfTests: 1 }
      }
      return { status: 'survived', nrOfTests: testFilter?.length ?? 0 }
    } finally {
      shared.active = -1
      generation = 0
    }
  }

  /** The first test of a file that fails; the file itself where it cannot be loaded. */
  async #try(file: string, isWanted: (id: string) => boolean): Promise<{ id: string; message: string } | undefined> {
    const { collected, failure } = await this.#collect(file).then(
      (collected) => ({ collected, failure: undefined }),
      (error) => ({ collected: undefined, failure: String(error) }),
    )
    if (!collected) return { id: file, message: failure }
    try {
      const wanted = collected.tests.map(({ name, run }) => ({ id: `${file}#${name}`, run })).filter(({ id }) => isWanted(id))
      for (const { id, run } of wanted.toSorted((a, b) => this.#timeOf(a.id) - this.#timeOf(b.id))) {
        const start = performance.now()
        const message = await this.#failureOf(run)
        if (message !== undefined) return { id, message }
        this.#durations.set(id, performance.now() - start)
      }
    } finally {
      await this.#failureOf(collected.finish)
    }
    return undefined
  }

  /** Quick tests first: most mutants fall to the first that comes past them. */
  #timeOf(id: string): number {
    return this.#durations.get(id) ?? 0
  }

  #timeOfAll(file: string): number {
    return [...this.#durations].reduce((sum, [id, duration]) => (id.startsWith(`${file}#`) ? sum + duration : sum), 0)
  }

  async #failureOf(run: () => Promise<void>): Promise<string | undefined> {
    this.#failure = undefined
    try {
      await run()
    } catch (error) {
      this.#failure = error ?? 'undefined was thrown'
    }
    return this.#failure === undefined ? undefined : String(this.#failure)
  }

  async #collect(file: string) {
    const { collect } = (await import(collectorUrl())) as typeof import('./collected.ts')
    const { tests, finish } = await collect(() => import(`${urlOf(file)}?load=${loads++}`))
    return { tests: tests.filter(({ name }) => !chosen().without.some((words) => name.includes(words))), finish }
  }
}

/** Which mutants were come past since the last time, and how often. */
function takeHits(): Coverage {
  const taken: Coverage = {}
  for (let id = 0; id < shared.hits.length; id++) if (shared.hits[id]! > 0) taken[id] = shared.hits[id]!
  shared.hits.fill(0)
  return taken
}

/** Sources as Stryker writes them keep books under names, at every step of theirs; with numbers they are ten times as fast. */
function withQuickCounts(source: string): string {
  const own = (name: string) => new RegExp(`function (${name}_\\w+)\\([^]*?\\n}\\n`)
  return source
    .replace(
      own('stryCov'),
      'function $1() { if (alisMutants.isCounting) for (let i = 0; i < arguments.length; i++) alisMutants.hits[arguments[i]]++ }\n',
    )
    .replace(
      own('stryMutAct'),
      'function $1(id) { return alisMutants.active === id && (alisMutants.hitCount++ < alisMutants.hitLimit || alisMutants.stop()) }\n',
    )
    .replace(/(?<=(?:stryCov|stryMutAct)_\w+\()[^()]*(?=\))/g, (ids) => ids.replaceAll('"', ''))
}

function noteImport(parent: string, child: string): void {
  const [from, to] = [parent, child].map((url) => url.replace(/\?.*/, '')) as [string, string]
  imports.set(from, (imports.get(from) ?? new Set()).add(to))
}

/** Whether a test file that was loaded has loaded a source. */
function isLoadedBy(file: string, source: string): boolean {
  const loaded = new Set([urlOf(file)])
  for (const url of loaded) for (const imported of imports.get(url) ?? []) loaded.add(imported) // which are visited in turn
  return loaded.has(pathToFileURL(source).href)
}

function collectorUrl(): string {
  return urlOf('test/mutants/collected.ts')
}

function urlOf(file: string): string {
  return pathToFileURL(join(process.cwd(), file)).href
}

/** The tests that have to notice: rooms or files, without those whose names have some words. */
function chosen(): { readonly tests: readonly string[]; readonly without: readonly string[] } {
  return JSON.parse(process.env.ALIS_MUTANT_TESTS ?? '{ "tests": ["src"], "without": [] }')
}

function testFiles(): string[] {
  const globs = chosen().tests.flatMap((room) =>
    room.endsWith('.test.ts') ? [room] : [`${room}/**/*.test.ts`, `${room}*.test.ts`],
  )
  return globSync(globs).sort()
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: Runner }]
