// How good our models are beside those of scikit-learn, on the same splits: `npm run bench:learners`. Finished curves are kept, so that it goes on
// where it was stopped; `--again auto` forgets those of a learner. Sets that are not shipped lie in --data; `bench/running/mlbench.R` writes most.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Curve, type Job, openKept, type Point } from './kept.ts'
import { isOurs, ourCurve } from './ours.ts'
import { plotRatios } from './plot.ts'
import { tellRuns } from './runs.ts'
import { fileOf, givenSet, type LearnerSet, learnerSets } from './sets.ts'
import { type Split, splitOf } from './splits.ts'
import { type Contestant, ratioTable, setTable, summaryOf, timeTable } from './tables.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    /** Names of sets or of groups: choose, report, texts. */
    sets: { type: 'string', default: 'choose,report,texts' },
    /** Further files: path:label, and more with commas. */
    csv: { type: 'string', default: '' },
    budget: { type: 'string', default: '2000' },
    batch: { type: 'string', default: '50' },
    /** Each with the strategy it draws by, if not alis. */
    ours: { type: 'string', default: 'auto,linear,landmarks,trees' },
    peers: { type: 'string', default: 'logistic,forest,extra,svm,boosting' },
    /** Peers that draw at random, for reference. */
    uniform: { type: 'string', default: 'logistic,extra' },
    again: { type: 'string', default: '' },
    data: { type: 'string', default: process.env.ALIS_DATA ?? '' },
    runs: { type: 'string', default: join(tmpdir(), 'alis-learners') },
    /** Where the picture goes: of the sets to report, or else of whatever there is. */
    picture: { type: 'string', default: join(tmpdir(), 'alis-learners.svg') },
    /** Tables of what is kept, and nothing run. */
    tables: { type: 'boolean', default: false },
    /** `runs`: only how long whole runs of made-up pools take. */
    only: { type: 'string', default: '' },
  },
})

if (values.only === 'runs') {
  await tellRuns(Number(values.seeds), join(values.runs, 'runs'))
  process.exit() // kernels keep threads
}

const list = (value: string) => value.split(',').filter(Boolean)
const batch = Number(values.batch)
const checkpoints = [100, 200, 500, 1000, 2000].filter((labels) => labels <= Number(values.budget) && labels % batch === 0)
const kept = openKept(values.runs)
const again = new Set(list(values.again))
const wanted = list(values.sets)
const sets = [
  ...learnerSets.filter(({ name, group }) => wanted.includes(name) || wanted.includes(group)),
  ...list(values.csv).map(givenSet),
]
const ours: Contestant[] = list(values.ours).map((wish) => {
  const [learner = wish, draws = 'alis'] = wish.split(':')
  if (!isOurs(learner)) throw new Error(`ours: a learner of alis is required, got ${learner}`)
  return { learner, draws, isPeer: false }
})
const tablePeers = [
  ...list(values.peers).map((learner) => ({ learner, draws: 'uncertainty', isPeer: true })),
  ...list(values.uniform).map((learner) => ({ learner, draws: 'uniform', isPeer: true })),
]
/** What people take for texts: TF-IDF of words and pairs of them, and logistic regression with a weak penalty. */
const textPeers = ['uncertainty', 'uniform'].map((draws) => ({ learner: 'logistic10', draws, isPeer: true }))
const contestantsOf = ({ text }: LearnerSet): Contestant[] =>
  text ? [...ours.filter(({ learner }) => learner === 'auto' || learner === 'linear'), ...textPeers] : [...ours, ...tablePeers]

const curves: Curve[] = []
for (let seed = 1; seed <= Number(values.seeds); seed++) for (const set of sets) await runSet(set, seed)
report()
process.exit() // kernels keep threads

async function runSet(set: LearnerSet, seed: number): Promise<void> {
  const jobs = contestantsOf(set).map((each) => ({ ...each, set: set.name, seed, batch }))
  const missing = jobs.filter((job) => !kept.find(job) || again.has(job.learner))
  const path = fileOf(set, values.data)
  if (!path) console.error(`${set.name}: no ${set.file} here (--data, or ALIS_DATA)`)
  else if (missing.length > 0 && !values.tables) await runMissing(set, path, seed, missing)
  for (const job of jobs) {
    const curve = kept.find(job)
    if (curve) curves.push(curve)
  }
}

async function runMissing(set: LearnerSet, path: string, seed: number, missing: readonly (Job & Contestant)[]): Promise<void> {
  const split = await splitOf(set, path, seed, join(values.runs, 'splits'))
  const possible = checkpoints.filter((labels) => labels <= 0.75 * split.points) // beyond that all draw the same points
  if (possible.length === 0) return
  const keep = ({ learner, draws }: Contestant, points: readonly Point[]) => {
    const last = points.at(-1)!
    console.error(
      `${set.name} ${seed}: ${learner}, ${draws}: ${points.map(({ error }) => (100 * error).toFixed(1)).join(' ')} %, ${last.seconds.toFixed(1)} s ${points.map(({ chosen }) => chosen ?? '').join(' ')}`,
    )
    kept.keep({ set: set.name, seed, learner, draws, batch, tested: split.tested, points })
  }
  for (const job of missing) if (!job.isPeer) keep(job, await ourCurve(split, job, possible))
  const theirs = missing.filter(({ isPeer }) => isPeer)
  if (theirs.length > 0) await runPeers(split, theirs, possible, keep)
}

/** All at once by one process, as reading and starting take longer than some of them. */
async function runPeers(
  { pool, test, seed, set }: Split,
  jobs: readonly Contestant[],
  checkpoints: readonly number[],
  keep: (job: Contestant, points: readonly Point[]) => void,
): Promise<void> {
  const script = fileURLToPath(new URL('./peers.py', import.meta.url))
  const one = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' }
  const python = spawn('/usr/bin/python3', [script], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...one } })
  const closed = new Promise<number | null>((resolve, reject) => python.on('close', resolve).on('error', reject))
  python.stdin.end(JSON.stringify({ pool, test, seed, batch, checkpoints, isText: set.text !== undefined, jobs }))
  for await (const line of createInterface({ input: python.stdout })) {
    const { points, ...job } = JSON.parse(line) as Contestant & { readonly points: Point[] }
    keep(job, points)
  }
  if ((await closed) !== 0) throw new Error('peers.py failed: apt-get install python3-sklearn')
}

function report(): void {
  const shown = sets.filter(({ name }) => curves.some(({ set }) => set === name))
  const groups = [...new Set(shown.map(({ group }) => group))]
  const pictured = groups.find((group) => group === 'report') ?? groups[0]
  for (const group of groups) {
    const own = shown.filter((set) => set.group === group)
    const names = own.map(({ name }) => name)
    const contestants = contestantsOf(own[0]!)
    const used = curves.filter(({ set }) => names.includes(set))
    const summary = summaryOf(used, contestants)
    console.log(
      `\n${group}: error over that of the best peer of each set, geometric means (log-loss likewise); ${seedsOf(used)} seeds\n`,
    )
    console.log(ratioTable(summary, contestants, names, checkpoints))
    const ours = contestants.filter(({ isPeer }) => !isPeer)
    console.log(`\nError on each set, in percent\n\n${setTable(summary, ours, names, checkpoints)}`)
    console.log(`\nSeconds of the processor for a run\n\n${timeTable(used, contestants, checkpoints)}`)
    if (group === pictured && values.picture) {
      const lines = contestants.map((contestant) => ({
        contestant,
        points: checkpoints.flatMap((labels) => {
          const ratio = summary.ratio(contestant, names, labels, 'error')
          return ratio === undefined ? [] : [{ labels, ratio }]
        }),
      }))
      writeFileSync(values.picture, plotRatios(lines, checkpoints, 'Test error over that of the best peer of each set'))
    }
  }
}

function seedsOf(used: readonly Curve[]): number {
  return new Set(used.map(({ seed }) => seed)).size
}
