import { drawTable } from '../../src/cli/terminal/table.ts'
import { count } from '../../src/text/wording.ts'
import { inThreads, type Task } from '../questions/threads.ts'
import type { AttackOutcome, AttackRun } from './attack-run.ts'

/** Small pools by lot in which much happens: what was missed, by draws and by learners, and the mean wealth against the truth. */
export async function attacks(runs: number): Promise<string> {
  const tasks = (isBlind: boolean) =>
    Array.from({ length: runs }, (_, seed): Task<AttackRun> => ({ name: 'attack', argument: { seed, isBlind } }))
  const all = [...tasks(false), ...tasks(true)]
  const outcomes = await inThreads<AttackRun, AttackOutcome>(all, 'pools', new URL('./worker.ts', import.meta.url))
  return attacksTable(outcomes.slice(0, runs), outcomes.slice(runs))
}

function attacksTable(outcomes: readonly AttackOutcome[], blind: readonly AttackOutcome[]): string {
  const faults = outcomes.flatMap((each) => each.faults)
  return [
    'Pools of 20 to 800 points, 2 to 6 classes, rounds of 1 to 50; wealth against the truth of bets that begin at once, 1 in the mean or less',
    tableBy('design', outcomes, blind),
    tableBy('learner', outcomes, blind),
    faults.length === 0 ? 'No limits crossed, no value lay outside.' : `Faults: ${count(faults.length)}, the first: ${faults[0]}`,
  ].join('\n')
}

const missedIn = (outcomes: readonly AttackOutcome[]) => count(outcomes.filter(({ isMissed }) => isMissed).length)

/** `blind`: the same by a twin that takes no notice of where models differ. */
function tableBy(key: 'design' | 'learner', outcomes: readonly AttackOutcome[], blind: readonly AttackOutcome[]): string {
  const twins = Object.groupBy(blind, (each) => each[key])
  const rows = Object.entries(Object.groupBy(outcomes, (each) => each[key])).map(([name, own = []]) => {
    const looks = own.reduce((sum, each) => sum + each.looks, 0)
    const wealth = (['upper', 'lower'] as const).map((side) => meanText(own.map((each) => each.wealth[side])))
    return [name, count(own.length), count(looks), missedIn(own), missedIn(twins[name] ?? []), ...wealth]
  })
  const right = ['pools', 'looks', 'pools missed', 'by the blind twin', 'mean wealth, upper', 'lower'].map((title) => ({
    title,
    align: 'right' as const,
  }))
  return drawTable({ columns: [{ title: key }, ...right], rows: rows.toSorted() })
}

/** With its standard error. */
function meanText(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return `${mean.toFixed(2)} ± ${Math.sqrt(variance / values.length).toFixed(2)}`
}
