import { drawTable } from '../../src/cli/terminal/table.ts'
import { count, percent } from '../../src/text/wording.ts'
import { exactLook } from './exact-look.ts'
import { outcomeOf } from './widths.ts'

const tolerances = [0.1, 0.08, 0.05, 0.03, 0.02]

/** Answers that the design has, by size. */
const designed = new Map([
  [50, [17, 20, 27, 34, 39]],
  [100, [19, 23, 34, 48, 61]],
  [200, [20, 25, 39, 60, 81]],
  [500, [21, 27, 43, 70, 100]],
  [2000, [22, 28, 45, 76, 113]],
])

/** Answers to a tolerance where no prediction is wrong, over those of one exact look. No draw matters: every audit takes as many. */
export async function smallPools(): Promise<string> {
  const rows: string[][] = []
  for (const [size, answersDesigned] of designed)
    for (const chance of [0.05, 0.3]) {
      const points = Array.from({ length: size }, () => ({ predicted: 0, chance, truth: 0 }))
      const cells: string[] = []
      for (const [k, tolerance] of tolerances.entries()) {
        const { answers } = await outcomeOf(points, 0, { tolerance })
        const look = looksUntil(tolerance, size)
        cells.push(`${answers}/${look} = ${(answers / look).toFixed(2)}`, (answersDesigned[k]! / look).toFixed(2))
      }
      rows.push([count(size), percent(chance), ...cells])
    }
  const titles = tolerances.flatMap((tolerance) => [`±${percent(tolerance)}`, 'designed'])
  const columns = ['points', 'doubt', ...titles].map((title) => ({ title, align: 'right' as const }))
  return `Answers to a tolerance with no error at all, over those of one exact look\n${drawTable({ columns, rows })}`
}

/** Answers, all of them right, after which one exact interval is as narrow. */
function looksUntil(tolerance: number, size: number): number {
  for (let sample = 1; ; sample++) {
    const [low, high] = exactLook(0, sample, size)
    if ((high - low) / 2 <= tolerance + 1e-12) return sample
  }
}
