// How fast pools are worked on: `npm run bench:speed`. Against what the machine can read, against numpy and scikit-learn where Debian's
// python3-sklearn is there, and against itself as pools and rounds grow. Ratios are what counts: all of it runs one after the other.
// `npm run bench:speed -- fits` tells that table only; --largest stops the growth sooner. The first table is drawn too, to --plot FILE.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/terminal/table.ts'
import type { LinearModel } from '../../src/core/model.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { kernelBuild } from '../../src/engines/kernels/kernels.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { byteSize, count } from '../../src/text/wording.ts'
import { fitProblems, measureFit } from './fit.ts'
import { loopCases, measureLoop } from './loops.ts'
import { forget, type Opening, openPool, writePool } from './opening.ts'
import { measurePasses, type Pass } from './passes.ts'
import { plotPasses } from './plot.ts'
import { medianOf, modelOf, randomPool, type Timing, tenOf } from './pool.ts'
import { rounds } from './rounds.ts'
import { measureText } from './text.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    plot: { type: 'string', default: join(tmpdir(), 'alis-speed.svg') },
    child: { type: 'string' },
    largest: { type: 'string', default: '10000000' },
  },
})

/** What is being measured, shown while it takes its time. */
function say(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${what}`)
}

/** Parts that run in a process of their own, with as many threads as it is told. */
const inChildren: Record<string, (...told: string[]) => Promise<unknown>> = {
  passes: measurePasses,
  round: measureRound,
  write: (folder, points) => writePool(folder!, Number(points)),
  open: (folder, points, bits) => openPool(folder!, Number(points), bits === '8' ? 8 : 32),
}
/** What can be told; all of it, unless some is asked for. */
const tables: Record<string, (threads: readonly number[]) => Promise<void>> = {
  surveys: tellPasses,
  rounds: tellRounds,
  loops: tellLoops,
  fits: tellFits,
  growth: tellGrowth,
  opening: tellOpening,
  texts: tellText,
}

if (values.child !== undefined) console.log(JSON.stringify(await inChildren[values.child]!(...positionals)))
else await tell(positionals.length > 0 ? positionals : Object.keys(tables))

function inChild<T>(name: string, threads: number, ...told: string[]): T {
  const self = fileURLToPath(import.meta.url)
  const env = { ...process.env, ALIS_THREADS: `${threads}` }
  return JSON.parse(
    execFileSync(process.execPath, [self, '--child', name, ...told], { env, encoding: 'utf8', maxBuffer: 2 ** 26 }),
  )
}

async function measureRound() {
  const pool = randomPool(1_000_000, 20)
  const time = async (bits: 8 | 32, modelIn?: (round: number) => LinearModel) =>
    medianOf((await rounds(fastEngine({ ...pool, bits }), 80, 0, modelIn)).slice(20)) // the first are to warm up
  const same = modelOf(20, 0)
  return {
    floats: await time(32),
    bytes: await time(8),
    staying: await time(32, () => same),
    ten: await time(32, (round) => tenOf(20, round)),
  }
}

async function tell(wanted: readonly string[]): Promise<void> {
  const build = kernelBuild?.name ?? 'none'
  console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors, node ${process.version}, kernels: ${build}\n`)
  const threads = availableParallelism() > 1 ? [1, availableParallelism()] : [1]
  for (const name of wanted) await tables[name]?.(threads)
}

async function tellPasses(numbers: readonly number[]): Promise<void> {
  const measured = numbers.flatMap((threads) => {
    say(`surveys with ${threads} of ${numbers.at(-1)} threads`)
    return inChild<Pass[]>('passes', threads).map((pass) => ({ ...pass, threads }))
  })
  say('')
  const gigabytes = (rate: number) => `${(rate / 1e9).toFixed(1)} GB/s`
  console.log('A survey of the whole pool (scores, masses, totals), as a share of what the same threads read in turn with it')
  console.log(
    tableOf([
      ['threads', 'features', 'bits', 'points', 'a point', 'rate', 'reading', 'share'],
      ...measured.map(({ threads, columns, bits, rows, rate, read, share }) => [
        `${threads}`,
        `${columns}`,
        `${bits}`,
        count(rows),
        `${((1e9 * columns * (bits / 8)) / rate).toFixed(1)} ns`,
        gigabytes(rate),
        gigabytes(read),
        `${Math.round(100 * share)} %`,
      ]),
    ]),
  )
  writeFileSync(values.plot, plotPasses(measured))
  console.log(`drawn to ${values.plot}\n`)
}

/** A table whose first line is its header. */
function tableOf([titles = [], ...rows]: readonly (readonly string[])[]): string {
  return drawTable({ columns: titles.map((title) => ({ title })), rows })
}

function both({ clock, processors }: Timing): string[] {
  return [clock.toFixed(1), processors.toFixed(1)]
}

interface Fit {
  readonly timing: Timing
  readonly objective: number
}

interface Peers {
  readonly numpy: string
  readonly sklearn: string
  readonly product: Timing
  readonly query: Timing
  readonly ten: Timing
}

async function tellRounds(numbers: readonly number[]): Promise<void> {
  // In turn, again and again: other work on the machine comes and goes, and should meet all alike.
  const turns = Array.from({ length: 5 }, (_, turn) => {
    say(`rounds, turn ${turn + 1} of 5`)
    return {
      peers: askPeers<Peers>(),
      own: numbers.map((threads) => inChild<Awaited<ReturnType<typeof measureRound>>>('round', threads)),
    }
  })
  const others = turns.flatMap(({ peers }) => peers ?? [])
  const peers = others[0] && {
    ...others[0],
    query: medianOf(others.map(({ query }) => query)),
    product: medianOf(others.map(({ product }) => product)),
    ten: medianOf(others.map(({ ten }) => ten)),
  }
  const own = numbers.map((threads, k) => ({
    threads,
    floats: medianOf(turns.map(({ own }) => own[k]!.floats)),
    bytes: medianOf(turns.map(({ own }) => own[k]!.bytes)),
    staying: medianOf(turns.map(({ own }) => own[k]!.staying)),
    ten: medianOf(turns.map(({ own }) => own[k]!.ten)),
  }))
  say('rounds of the reference')
  const reference = medianOf(await rounds(memoryEngine(randomPool(1_000_000, 20)), 2))
  say('')
  const line = (name: string, { clock, processors }: Timing, other = peers?.query) => {
    const times = (own: number, other: number) => `${(other / own).toFixed(1)} ×`
    const ratios = other ? [times(clock, other.clock), times(processors, other.processors)] : []
    return [name, clock.toFixed(1), processors.toFixed(1), ...ratios]
  }
  console.log(
    `One round on 1,000,000 points of 20 features, 100 drawn${peers ? `; scikit-learn ${peers.sklearn}, numpy ${peers.numpy}` : ''}`,
  )
  console.log(
    tableOf([
      ['', 'milliseconds', 'of processors', 'against scikit-learn', 'of processors'],
      ...(peers
        ? [
            line('scikit-learn: predict_proba, top 100', peers.query),
            line('numpy: one product, no draw', peers.product),
            line('scikit-learn, 10 classes', peers.ten, peers.ten),
          ]
        : []),
      line('alis, the reference in plain JavaScript', reference),
      ...own.flatMap(({ threads, floats, bytes, staying, ten }) => [
        line(`alis, ${threads} threads, 32 bits`, floats),
        line(`alis, ${threads} threads, 8 bits`, bytes),
        line(`alis, ${threads} threads, 32 bits, the model of the round before`, staying),
        line(`alis, ${threads} threads, 32 bits, 10 classes`, ten, peers?.ten),
      ]),
    ]),
  )
  console.log('')
}

async function tellLoops(): Promise<void> {
  const lines: string[][] = []
  for (const own of loopCases) {
    say(`whole rounds on ${count(own.points)} points`)
    const { fast, reference } = await measureLoop(own)
    const times = `${(reference.clock / fast.clock).toFixed(1)} ×`
    lines.push([count(own.points), `${own.columns}`, `${own.classes}`, ...both(fast), ...both(reference), times])
  }
  say('')
  console.log('A whole round with the default strategy: draw 40, record, ask, fit, measure; with kernels, and by the reference')
  const times = ['milliseconds', 'of processors', 'the reference', 'of processors', 'as fast']
  console.log(tableOf([['points', 'features', 'classes', ...times], ...lines]))
}

async function tellFits(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'alis-speed-'))
  try {
    const problems = fitProblems(folder)
    const turns: { others: readonly Fit[] | undefined; own: readonly Fit[]; later: readonly Fit[] }[] = []
    for (let turn = 0; turn < 5; turn++) {
      say(`fits, turn ${turn + 1} of 5`)
      const others = askPeers<readonly Fit[]>(JSON.stringify(problems.map(({ told }) => told)))
      const own: Fit[] = []
      const later: Fit[] = []
      for (const problem of problems) {
        own.push(await measureFit(problem, { isLater: false }))
        later.push(await measureFit(problem, { isLater: true }))
      }
      turns.push({ others, own, later })
    }
    const middle = (fits: readonly Fit[]): Fit | undefined =>
      fits[0] && { timing: medianOf(fits.map(({ timing }) => timing)), objective: fits[0].objective }
    const lines = problems.flatMap(({ name }, k) => {
      const other = middle(turns.flatMap(({ others }) => others?.[k] ?? []))
      const own = middle(turns.map((turn) => turn.own[k]!))!
      const line = (who: string, { timing, objective }: Fit) => {
        const times = other ? `${(other.timing.clock / timing.clock).toFixed(1)} ×` : ''
        return [`${name}: ${who}`, ...both(timing), times, objective.toFixed(5)]
      }
      const later = middle(turns.map((turn) => turn.later[k]!))!
      return [
        ...(other ? [line('scikit-learn, as it comes', other)] : []),
        line('alis', own),
        line('alis, from the model of 40 labels fewer', later),
      ]
    })
    say('')
    console.log('Logistic regression')
    console.log(tableOf([['', 'milliseconds', 'of processors', 'against scikit-learn', 'objective'], ...lines]))
    console.log('')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What peers.py says, where it can run. */
function askPeers<T>(...told: string[]): T | undefined {
  const python = '/usr/bin/python3'
  try {
    if (!existsSync(python)) return undefined
    execFileSync(python, ['-c', 'import sklearn'], { stdio: 'ignore' })
  } catch {
    console.log('No scikit-learn to compare with: apt-get install python3-sklearn\n')
    return undefined
  }
  return JSON.parse(execFileSync(python, [fileURLToPath(new URL('./peers.py', import.meta.url)), ...told], { encoding: 'utf8' }))
}

async function tellGrowth(): Promise<void> {
  const lines: string[][] = []
  for (let points = 10_000; points <= Number(values.largest); points *= 10) {
    say(`growth: ${count(points)} points`)
    const pool = randomPool(points, 32)
    for (const bits of [32, 8] as const) {
      const start = performance.now()
      const engine = fastEngine({ ...pool, bits })
      const made = performance.now() - start
      await rounds(engine, 3) // to warm up
      const times = await rounds(engine, 100, 3)
      const at = (round: number) => medianOf(times.slice(Math.max(0, round - 5), round + 5)).clock.toFixed(1)
      lines.push([
        count(points),
        `${bits}`,
        `${(made / 1000).toFixed(2)} s`,
        at(1),
        at(10),
        at(100),
        `${((1e6 * medianOf(times).processors) / points).toFixed(1)} ns`,
      ])
      await engine.close()
    }
  }
  say('')
  console.log('Growth: 32 features, 100 drawn a round')
  console.log(tableOf([['points', 'bits', 'made in', 'ms, round 1', 'round 10', 'round 100', 'processors, a point'], ...lines]))
  console.log('')
}

async function tellOpening(threads: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'alis-speed-'))
  try {
    const points = values.largest
    const floats = 4 * 32 * Number(points)
    const child = <T>(name: string, ...told: string[]) => inChild<T>(name, threads.at(-1)!, ...told)
    say(`opening: writing ${count(Number(points))} points`)
    const { written } = child<{ written: number }>('write', folder, points)
    let ids = 0
    const lines = [
      ['32', 'cold'],
      ['32', 'warm'],
      ['8', 'first'],
      ['8', 'cold'],
      ['8', 'warm'],
    ].map(([bits = '', how = '']) => {
      say(`opening: ${bits} bits, ${how}`)
      if (how === 'cold') for (const file of readdirSync(folder)) forget(join(folder, file))
      const { open, firstRound, round, peak, names, held, slabs } = child<Opening>('open', folder, points, bits)
      ids = names
      const share = (bytes: number) => `${((100 * bytes) / floats).toFixed(0)} %`
      const times = [open, firstRound, round].map((time) => `${time.toFixed(2)} s`)
      return [bits, how, ...times, byteSize(peak), share(held), byteSize(slabs), share(slabs)]
    })
    say('')
    console.log(
      `Opening ${count(Number(points))} points of 32 features from files; ids and what finds them take ${byteSize(ids)}`,
    )
    const memory = ['memory at most', 'but for ids, of the floats', 'in slabs', 'of the floats']
    console.log(tableOf([['bits', '', 'open', 'first round', 'a round', ...memory], ...lines]))
    console.log(`${byteSize(floats)} of floats were written in ${written.toFixed(1)} s\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function tellText(): Promise<void> {
  say('texts')
  const { documents, features, perSecond, megabytesPerSecond, round } = await measureText()
  say('')
  console.log(`Texts: ${count(documents)} of 40 words, ${count(features)} features, sparse`)
  console.log(
    `  features of ${count(Math.round(perSecond))} texts a second (${megabytesPerSecond.toFixed(1)} MB/s), a round in ${round.clock.toFixed(1)} ms (${round.processors.toFixed(1)} ms of processors)`,
  )
}
