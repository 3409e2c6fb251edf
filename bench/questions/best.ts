import { probit } from '../../src/certificates/probit.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { count } from '../../src/text/wording.ts'
import { runRace } from './race.ts'
import { type RealSet, realModels, realSets } from './real-models.ts'
import { type MadeModels, makeModels } from './simulated-models.ts'
import { summaryOf } from './statistics.ts'

const size = 5000
const within = 0.01

interface Case {
  readonly name: string
  readonly models: (seed: number) => MadeModels
  /** Answers, and uniform draws for one look. */
  readonly reference: string
  readonly oneLook: string
}

// References: a prototype in C. How its simulated models were made is not on record, and neither is how often they were wrong together; the
// difficulties of ours are such that the figures come near each other.
const ahead = (by: number) => [0.855 + by, ...new Array<number>(5).fill(0.855)]
const simulated: readonly Case[] = [
  { name: 'six, steps of .02', accuracies: [0.85, 0.83, 0.81, 0.79, 0.77, 0.75], reference: '465 (787)', oneLook: '789' },
  { name: 'six, steps of .05', accuracies: [0.85, 0.8, 0.75, 0.7, 0.65, 0.6], reference: '244 (365)', oneLook: '233' },
  { name: 'six, all equal', accuracies: ahead(0), reference: '1,306 (1,510)', oneLook: '3,173' },
  { name: 'six, one ahead by .015', accuracies: ahead(0.015), reference: '996', oneLook: '' },
  { name: 'six, one ahead by .03', accuracies: ahead(0.03), reference: '541', oneLook: '' },
].map(({ accuracies, ...rest }) => ({ ...rest, models: (seed) => makeModels({ seed, size, accuracies }) }))

// Of these the sets, the kinds of models and about how many points trained them are on record.
const references: Readonly<Record<RealSet, readonly [reference: string, oneLook: string]>> = {
  satellite: ['384 (491)', '1,561'],
  waveform: ['420 (516)', '1,602'],
  twonorm: ['73 (86)', '590'],
  ringnorm: ['54 (66)', '264'],
}

function realCases(): Case[] {
  return realSets.flatMap((set) => {
    const models = realModels(set)
    const [reference, oneLook] = references[set]
    return models ? [{ name: `eight, ${set}`, models: () => models, reference, oneLook }] : []
  })
}

/** Answers until the best of several models is named: median, 90th percentile, and how often the wrong one was named. */
export async function best(runs: number): Promise<string> {
  const rows = [...simulated, ...realCases()].map(({ name, models: modelsFor, reference, oneLook }) => {
    const outcomes = Array.from({ length: runs }, (_, seed) => {
      const models = modelsFor(seed)
      return { ...runRace({ models, seed, within, batch: 20 }), oneLook: answersOfOneLook(models) }
    })
    const { median, low, high, ninetieth } = summaryOf(outcomes.map(({ answers }) => answers))
    const look = summaryOf(outcomes.map(({ oneLook }) => oneLook)).median
    const wrong = outcomes.filter(({ isWrong }) => isWrong).length
    const out = outcomes.filter(({ isBestOut }) => isBestOut).length
    const answers = [count(median), `${count(low)} – ${count(high)}`, count(ninetieth), reference]
    return [name, ...answers, count(look), oneLook, `${wrong} of ${runs}`, `${out} of ${runs}`]
  })
  const titles = ['median', '95 % interval', '90th', 'reference', 'one look', 'reference', 'wrong', 'best out']
  const columns = [{ title: 'models' }, ...titles.map((title) => ({ title, align: 'right' as const }))]
  return `The best of several models, within ${within}: answers. Simulated: ${count(size)} points\n${drawTable({ columns, rows })}`
}

/** Uniform draws at which one look, with paired z-tests at 5 % in all, would prove the best model to be within ε of every other. */
function answersOfOneLook({ predicted, truths, accuracies }: MadeModels): number {
  const winner = accuracies.indexOf(Math.max(...accuracies))
  const size = truths.length
  const confidence = probit(1 - 0.05 / (accuracies.length - 1)) // each of the others
  const needs = accuracies.map((accuracy, j) => {
    const unlike = predicted.filter((guesses, i) => (guesses[winner] === truths[i]) !== (guesses[j] === truths[i])).length
    const ahead = accuracies[winner]! - accuracy
    const need = (confidence ** 2 * (unlike / size - ahead ** 2)) / (ahead + within) ** 2
    return need / (1 + need / size)
  })
  return Math.round(Math.max(...needs))
}
