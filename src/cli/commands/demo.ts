import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { logisticLearner } from '../../learners/margin-learner.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { learnerOf } from '../../projects/learner-of.ts'
import { loadData } from '../../projects/pools/memory.ts'
import { runLoop, type TestedRound } from '../../projects/run-loop.ts'
import { keepSettings, openOrCreate } from '../../projects/settings.ts'
import type { Labelling, Source } from '../../server/session/state.ts'
import { alisStrategy } from '../../strategies/alis.ts'
import { strategies } from '../../strategies/catalogue.ts'
import type { Strategy } from '../../strategies/strategy.ts'
import { keyed } from '../../text/class-keys.ts'
import { count, percent } from '../../text/wording.ts'
import { knowOption, type PageOptions, withOptions } from '../options/options.ts'
import { jsonFlag } from '../options/output.ts'
import { positiveWhole, wholeNumber } from '../options/values.ts'
import { say, sayDrawn, writeLine } from '../reports/output.ts'
import { percentChart } from '../reports/percent-chart.ts'
import { roundTable } from '../reports/round-table.ts'
import { progressBar } from '../terminal/progress.ts'
import { servePage } from './serve-page.ts'

const digits = fileURLToPath(new URL('../../../data/digits.csv', import.meta.url))
const budget = 300

interface Options extends PageOptions {
  readonly terminal?: boolean
  readonly samples?: boolean
  readonly runs: number
  readonly answered: number
  readonly know?: number
  readonly seed?: number
}

export function demoCommand(signal: AbortSignal): Command {
  const command = new Command('demo')
    .option('--samples', 'choose among all samples instead: pictures, messages, predictions, answers of a language model')
    .addOption(
      new Option('--terminal', 'watch the default learn odd from even instead, beside uniform draws').conflicts('samples'),
    )
    .option('--runs <n>', 'with --terminal: runs to average the curves over', positiveWhole, 10)
    .option('--answered <n>', 'answers that the file has given when the page opens; 0 to begin with none', wholeNumber, 290)
    .addOption(knowOption())
    .option('--seed <n>', 'repeat a demonstration', wholeNumber)
    .option(...jsonFlag)
    .addHelpText('after', '\nExamples:\n  $ alis demo\n  $ alis demo --samples\n  $ alis demo --terminal --runs 20')
    .action((options: Options) => (options.terminal ? demo(options, signal) : label(options, signal)))
  return withOptions(command, 'page')
}

/** The page on the digits, or on all samples, in a directory that is there for trying. The first answers are those of the file: there is something to see at once. */
async function label({ answered, know, seed, ...options }: Options, signal: AbortSignal): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'alis-demo-'))
  const project = join(directory, options.samples ? 'digits-begun.alis' : 'digits.alis')
  const classes = Array.from({ length: 10 }, (_, digit) => `${digit}`)
  const labelling: Labelling = { question: 'Which digit is this?', guidelines, classes: keyed(classes) }
  const plan = { strategy: 'alis', batch: 10, budget: answered + 400 }
  if (answered > 0)
    await answerFromFile(project, { ...{ answered, know, seed, labelling, plan, signal }, isSilent: !!options.json })
  if (options.samples) {
    const lines = [`Samples to try, one of them begun. What you begin is kept in ${directory}`]
    return servePage({ directory }, options, { signal, lines })
  }
  const beginning = {
    path: digits,
    wishes: { ignore: ['digit'] },
    classes,
    plan,
    start: 10,
    loss: 'logistic',
    l2: 1,
    know,
    seed,
  } as const
  const source: Source = answered > 0 ? { kind: 'known' } : { kind: 'new', beginning, labelling }
  const first = answered > 0 ? [`The first ${count(answered)} answers are those of the file. The next are yours.`] : []
  const lines = ['1,797 handwritten digits, to try labelling on.', ...first, `Answers are kept in ${project}`]
  await servePage({ directory, work: { project, source } }, options, { signal, lines })
}

interface FileAnswers {
  readonly answered: number
  readonly know: number | undefined
  readonly seed: number | undefined
  readonly labelling: Labelling
  readonly plan: { readonly strategy: string; readonly batch: number; readonly budget: number }
  readonly signal: AbortSignal
  readonly isSilent: boolean
}

/** A project in which the column of the file has answered so often. */
async function answerFromFile(path: string, { answered, know, labelling, plan, signal, isSilent, ...chosen }: FileAnswers) {
  const bar = isSilent ? undefined : progressBar({ label: 'answers', total: answered })
  const seed = chosen.seed ?? freshSeed()
  const seeds = { seed, seedChosen: chosen.seed !== undefined }
  const learning = { ...{ start: 10, batch: 40, delta: 0.05 }, ...seeds }
  const project = await openOrCreate(path, { annotator: 'the file' })
  try {
    const data = await loadData(digits, { label: 'digit' }, seed)
    const pool = { path: digits, hash: data.file.table.hash }
    const fitted = { strategy: plan.strategy, loss: 'logistic', l2: 1, ...(know !== undefined && { know }) } as const
    await keepSettings(
      project,
      { pool, added: [], wishes: { label: 'digit' }, classes: data.classes, ...learning, ...fitted, learner: 'linear' },
      data,
    )
    await project.remember('labelling', labelling)
    await project.remember('plan', plan)
    const run = {
      strategy: alisStrategy({ know }),
      learner: learnerOf(data, fitted, { seed, signal }),
      ...learning,
      budget: answered,
      signal,
    }
    for await (const { labels } of runLoop(data, run, { store: project })) bar?.update(labels, 'answered by the file')
    await data.close()
  } finally {
    bar?.stop()
    await project.close()
  }
}

const guidelines = `Answer with the digit the writer meant, also where it is untidy.

Later brings it back at the end of this round.
Cannot tell is an honest answer. It is kept, never replaced by an easier one, and makes the range a little wider.
`

async function demo({ runs, know, seed = freshSeed(), json }: Options, signal: AbortSignal): Promise<void> {
  if (json) {
    const { series } = await compare([alisStrategy({ know }), strategies.uniform], { runs, seed, signal })
    return writeLine('result', { seed, runs, curves: series.map(({ name, points }) => ({ strategy: name, points })) })
  }
  say(`Odd or even? 1,797 handwritten digits, 30 % of them set aside to test on. Seed ${seed}.`)

  const { shown, series } = await compare([alisStrategy({ know }), strategies.uniform], { runs, seed, signal })
  sayDrawn(`\nThe first run of alis:\n\n${roundTable(shown)}\n`)
  sayDrawn(percentChart({ title: `Test error, mean of ${runs} runs`, xLabel: 'labels', series }))
  say(`\n${verdict(series[0]!.points, series[1]!.points)}`)
  say('\nYour own data:  alis run yours.csv --label <column> --test 0.3')
}

type ErrorCurve = [labels: number, error: number][]

interface Repetition {
  readonly runs: number
  readonly seed: number
  readonly signal: AbortSignal
}

/** Both strategies over all runs: the rounds of the first run of alis, and both mean curves. */
async function compare(pair: readonly Strategy[], { runs, seed, signal }: Repetition) {
  const bar = progressBar({ label: 'runs', total: runs * pair.length * budget })
  const errors = pair.map(() => new Map<number, number>())
  const shown: TestedRound[] = []
  try {
    for (let run = 0; run < runs; run++) {
      const data = await loadData(digits, { label: 'digit', positive: '1,3,5,7,9', test: 0.3 }, seed + run)
      for (const [k, strategy] of pair.entries()) {
        const plan = { strategy, learner: logisticLearner(), start: 10, batch: 10, budget, delta: 0.05 }
        for await (const round of runLoop(data, { ...plan, seed: seed + run, seedChosen: false, signal })) {
          const { labels, test } = round
          errors[k]!.set(labels, (errors[k]!.get(labels) ?? 0) + test!.error / runs)
          bar.update((run * pair.length + k) * budget + labels, `${strategy.name}, run ${run + 1} of ${runs}`)
          if (run === 0 && k === 0) shown.push(round)
        }
      }
    }
  } finally {
    bar.stop()
  }
  return { shown, series: pair.map(({ name }, k) => ({ name, points: [...errors[k]!] as ErrorCurve })) }
}

/** In one sentence: how many labels alis needed for what uniform reached at the end. */
export function verdict(alis: ErrorCurve, uniform: ErrorCurve): string {
  const [labels, goal] = uniform.at(-1)!
  const enough = alis.find(([, error]) => error <= goal)
  const other = enough ? `is there after ${count(enough[0])}` : 'did not get there this time'
  return `Uniform draws reach ${percent(goal)} with ${count(labels)} labels; alis ${other}.`
}
