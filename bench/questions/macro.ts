import { drawTable } from '../../src/cli/terminal/table.ts'
import { f1OfClasses, meanInTruth, runMacro } from './macro-run.ts'
import { makeModels } from './simulated-models.ts'
import { summaryOf } from './statistics.ts'

const size = 4000
const budget = 1200
const looks = [300, 500, 800, 1200]
const batch = 50

// References: a prototype in C; how its pool was made is not on record.
const cases = [
  { name: 'limits of each class', linearised: false, reference: '.204 / .125 / .083 / .051' },
  { name: 'linearised at 150 answers', linearised: true, reference: '.213 / .101 / .060 / .035' },
]

/** Half-widths of the interval for the macro-F1 of five classes, both ways, and how often it was ever wrong. */
export async function macro(runs: number): Promise<string> {
  const parts = f1OfClasses(5)
  const rows = cases.map(({ name, linearised, reference }) => {
    let misses = 0
    const paths = Array.from({ length: runs }, (_, seed) => {
      const model = makeModels({ seed, size, accuracies: [0.7] })
      const truth = meanInTruth(
        parts,
        model.predicted.map(([guess]) => guess!),
        model.truths,
      )
      const path = runMacro({ model, parts, seed, plan: { kind: 'budget', answers: budget }, linearised, batch, draws: budget })
      if (path.some(({ low, high }) => truth < low! - 1e-12 || truth > high! + 1e-12)) misses++
      return path
    })
    const halfWidth = (answers: number) => summaryOf(paths.map((path) => widthOf(path[answers / batch - 1]!) / 2)).median
    const widths = looks.map((answers) => halfWidth(answers).toFixed(3).slice(1)).join(' / ')
    return [name, widths, reference, `${misses} of ${runs}`]
  })
  const columns = ['', `half-width at ${looks.join(' / ')}`, 'reference', 'missed'].map((title) => ({ title }))
  return `Macro-F1 of five classes, ${size} points, budget ${budget}\n${drawTable({ columns, rows })}`
}

function widthOf({ low, high }: { readonly low: number | null; readonly high: number | null }): number {
  return high! - low!
}
