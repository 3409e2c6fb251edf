// Runs tests for Stryker in its own process: vitest would start a thread for every mutant, and load all that it needs anew.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'

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

/** What is known of a test: the sources it loads, what it takes with its file, in milliseconds of the processor, and how often it comes past each mutant. */
interface KnownTest {
  readonly id: string
  readonly file: string
  readonly sources: readonly string[]
  readonly duration: number
  readonly hits: Coverage
}

/** In the sandbox, for processes that begin later. */
const knownTests = 'mutant-tests.json'

type LoadedFile = Awaited<ReturnType<typeof import('./collected.ts').collect>>

class Runner {
  #known: readonly KnownTest[] | undefined
  /** The chance that a mutant falls to a test which comes past it, as the last ones did. */
  readonly #odds = new Map<string, number>()
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
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true }) // the smallest example is not read
  }

  /** All tests, and which mutants they come past. What the body of a test file comes past, all of its tests do. */
  async dryRun({ files = [] }: { readonly files?: readonly string[] }) {
    shared.isCounting = true
    for (const file of files) await import(pathToFileURL(file).href)
    const mutantCoverage = { static: takeHits(), perTest: {} as Record<string, Coverage> }
    const tests: { id: string; name: string; status: 0 | 1; timeSpentMs: number; failureMessage?: string }[] = []
    const known: KnownTest[] = []
    for (const file of testFiles()) {
      const begun = processorTime()
      const { tests: collected, finish } = await this.#collect(file)
      const loading = processorTime() - begun
      const body = takeHits()
      const sources = files.filter((source) => isLoadedBy(file, source))
      if (sources.length === 0) continue
      for (const { name, run } of collected) {
        const id = `${file}#${name}`
        const [start, worked] = [performance.now(), processorTime()]
        const failureMessage = await this.#failureOf(run)
        const duration = processorTime() - worked + loading
        const common = { id, name, timeSpentMs: performance.now() - start }
        const hits = { ...body, ...takeHits() }
        if (duration > (chosen().within ?? Number.POSITIVE_INFINITY)) continue
        known.push({ id, file, sources, duration, hits })
        tests.push(failureMessage === undefined ? { ...common, status: 0 } : { ...common, status: 1, failureMessage })
        mutantCoverage.perTest[id] = hits
      }
      await finish()
      takeHits()
    }
    shared.isCounting = false
    writeFileSync(knownTests, JSON.stringify(known))
    return { status: 'complete', tests, mutantCoverage }
  }

  async mutantRun({ activeMutant, testFilter, sandboxFileName, mutantActivation }: MutantRun) {
    const wanted = testFilter && new Set(testFilter)
    const tests = this.#inOrder(({ id, sources }) => wanted?.has(id) ?? sources.includes(sandboxFileName))
    shared.active = Number(activeMutant.id)
    if (mutantActivation === 'static') generation = ++generations
    const loaded = new Map<string, LoadedFile>()
    try {
      for (const { id, file, hits, duration } of tests) {
        const limit = 10_000 + 10 * (hits[activeMutant.id] ?? 0) // ten times as often as without the mutant is without end
        Object.assign(shared, { hitCount: 0, hitLimit: limit })
        const failure = await this.#failureOf(() => within(5000 + 100 * duration, this.#run(id, file, loaded)))
        this.#odds.set(id, 0.8 * this.#oddsOf(id) + (failure === undefined ? 0 : 0.2))
        if (failure !== undefined && shared.hitCount > limit) return { status: 'timeout', reason: 'hit limit' }
        if (failure !== undefined) return { status: 'killed', killedBy: [id], failureMessage: failure, nrOfTests: 1 }
      }
      return { status: 'survived', nrOfTests: tests.length }
    } finally {
      for (const { finish } of loaded.values()) await this.#failureOf(finish)
      shared.active = -1
      generation = 0
    }
  }

  /** First the tests that a mutant falls to soonest, for the time they take. */
  #inOrder(isWanted: (test: KnownTest) => boolean): KnownTest[] {
    this.#known ??= JSON.parse(readFileSync(knownTests, 'utf8')) as KnownTest[]
    const speed = ({ id, duration }: KnownTest) => this.#oddsOf(id) / duration
    return this.#known.filter(isWanted).sort((a, b) => speed(b) - speed(a))
  }

  #oddsOf(id: string): number {
    return this.#odds.get(id) ?? 0.5
  }

  /** Fails where its file cannot be loaded, too. */
  async #run(id: string, file: string, loaded: Map<string, LoadedFile>): Promise<void> {
    const { tests, finish } = loaded.get(file) ?? (await this.#collect(file))
    loaded.set(file, { tests, finish })
    const test = tests.find(({ name }) => id === `${file}#${name}`)
    if (!test) throw new Error('the test is not there any more')
    await test.run()
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

  async #collect(file: string): Promise<LoadedFile> {
    const { collect } = (await import(collectorUrl())) as typeof import('./collected.ts')
    const { tests, finish } = await collect(() => import(`${urlOf(file)}?load=${loads++}`))
    return { tests: tests.filter(({ name }) => !chosen().without.some((words) => name.includes(words))), finish }
  }
}

/** Fails if something that is waited for does not come; other work on the machine may make it late. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the test does not end')), milliseconds)
  })
  await Promise.race([work, isLate]).finally(() => clearTimeout(timer))
}

/** Milliseconds that this process has worked: other work on the machine does not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
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

/** The tests that have to notice: rooms or files, without those whose names have some words, and those that take more milliseconds. */
function chosen(): { readonly tests: readonly string[]; readonly without: readonly string[]; readonly within?: number } {
  return JSON.parse(process.env.ALIS_MUTANT_TESTS ?? '{ "tests": ["src"], "without": [] }')
}

function testFiles(): string[] {
  const globs = chosen().tests.flatMap((room) =>
    room.endsWith('.test.ts') ? [room] : [`${room}/**/*.test.ts`, `${room}*.test.ts`],
  )
  return globSync(globs).sort()
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: Runner }]
