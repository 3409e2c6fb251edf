import { drawTable } from '../../src/cli/terminal/table.ts'
import { count } from '../../src/text/wording.ts'
import { inThreads } from '../questions/threads.ts'
import type { AttackOutcome } from './attack-run.ts'

/** Small pools by lot in which much happens: what was missed, and the mean wealth against the truth. */
export async function attacks(runs: number): Promise<string> {
  const tasks = Array.from({ length: runs }, (_, seed) => ({ name: 'attack', argument: seed }))
  return attacksTable(await inThreads<number, AttackOutcome>(tasks, 'pools', new URL('./worker.ts', import.meta.url)))
}

function attacksTable(outcomes: readonly AttackOutcome[]): string {
  const byDesign = Object.groupBy(outcomes, ({ design }) => design)
  const rows = Object.entries(byDesign).map(([design, own = []]) => {
    const wealth = (side: 'upper' | 'lower') => meanText(own.map((each) => each.wealth[side]))
    const looks = own.reduce((sum, each) => sum + each.looks, 0)
    return [
      design,
      ...[own.length, looks, own.filter(({ isMissed }) => isMissed).length].map(count),
      wealth('upper'),
      wealth('lower'),
    ]
  })
  const faults = outcomes.flatMap((each) => each.faults)
  const right = ['pools', 'looks', 'pools missed', 'mean wealth, upper', 'lower'].map((title) => ({
    title,
    align: 'right' as const,
  }))
  return [
    'Pools of 20 to 200 points, 2 to 6 classes, rounds of 1 to 50; wealth against the truth of bets that begin at once, 1 in the mean or less',
    drawTable({ columns: [{ title: 'draws' }, ...right], rows: rows.toSorted() }),
    faults.length === 0 ? 'No limits crossed, no value lay outside.' : `Faults: ${count(faults.length)}, the first: ${faults[0]}`,
  ].join('\n')
}

/** With its standard error. */
function meanText(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return `${mean.toFixed(2)} ± ${Math.sqrt(variance / values.length).toFixed(2)}`
}
