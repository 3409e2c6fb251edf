import { drawTable } from '../../src/cli/terminal/table.ts'
import { count } from '../../src/text/wording.ts'
import { runRace } from './race.ts'
import { type MadeModels, makeModels } from './simulated-models.ts'
import { summaryOf } from './statistics.ts'

const size = 5000
const within = 0.01

// References: a prototype in C. How its models were made is not on record, and neither is how often they were wrong together; the
// difficulties of ours are such that the figures come near each other.
const ahead = (by: number) => [0.855 + by, ...new Array<number>(5).fill(0.855)]
const cases = [
  { name: 'steps of .02', accuracies: [0.85, 0.83, 0.81, 0.79, 0.77, 0.75], reference: '465 (787)', oneLook: '789' },
  { name: 'steps of .05', accuracies: [0.85, 0.8, 0.75, 0.7, 0.65, 0.6], reference: '244 (365)', oneLook: '233' },
  { name: 'all equal', accuracies: ahead(0), reference: '1,306 (1,510)', oneLook: '3,173' },
  { name: 'one ahead by .015', accuracies: ahead(0.015), reference: '996', oneLook: '' },
  { name: 'one ahead by .03', accuracies: ahead(0.03), reference: '541', oneLook: '' },
]

/** Answers until the best of six models is named: median, 90th percentile, and how often the wrong one was named. */
export async function best(runs: number): Promise<string> {
  const rows = cases.map(({ name, accuracies, reference, oneLook }) => {
    const outcomes = Array.from({ length: runs }, (_, seed) => {
      const models = makeModels({ seed, size, accuracies })
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
  const columns = [{ title: 'six models' }, ...titles.map((title) => ({ title, align: 'right' as const }))]
  return `Best of six models, ${count(size)} points, within ${within}: answers\n${drawTable({ columns, rows })}`
}

/** Uniform draws at which one look, with paired z-tests at 1 % each, would prove the best model to be within ε of every other. */
function answersOfOneLook({ predicted, truths, accuracies }: MadeModels): number {
  const winner = accuracies.indexOf(Math.max(...accuracies))
  const needs = accuracies.map((accuracy, j) => {
    const unlike = predicted.filter((guesses, i) => (guesses[winner] === truths[i]) !== (guesses[j] === truths[i])).length
    const ahead = accuracies[winner]! - accuracy
    const need = (2.326 ** 2 * (unlike / size - ahead ** 2)) / (ahead + within) ** 2
    return need / (1 + need / size)
  })
  return Math.round(Math.max(...needs))
}
