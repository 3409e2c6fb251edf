import { drawTable } from '../../src/cli/terminal/table.ts'
import { count } from '../../src/text/wording.ts'
import type { HistoryOutcome } from './history.ts'
import { binomialTail } from './statistics.ts'
import { inThreads } from './threads.ts'

const promised = 0.05
const absurd = 1e-4

/** So many histories of a project, one in ten on disk: how often what they print of a question leaves out the truth, at any time. */
export async function histories(n: number): Promise<string> {
  const tasks = Array.from({ length: n }, (_, seed) => ({ name: 'history', argument: seed }))
  const outcomes = await inThreads<number, HistoryOutcome>(tasks, 'histories')
  const claims = outcomes.flatMap((outcome) => outcome.claims)
  const rows = [...new Set(claims.map(({ name }) => name))].toSorted().map((name) => {
    const own = claims.filter((claim) => claim.name === name)
    const misses = own.filter(({ isMissed }) => isMissed).length
    const isBad = binomialTail(misses, own.length, promised) < absurd
    return [name, count(own.length), count(misses), `${((100 * misses) / own.length).toFixed(1)} %`, isBad ? 'too many' : '']
  })
  const faults = outcomes.flatMap((outcome) => outcome.faults)
  const printed = outcomes.reduce((sum, outcome) => sum + outcome.printed, 0)
  return [
    `${count(n)} histories, ${count(printed)} intervals printed: what each audit claimed of a question, and how often that was ever wrong`,
    drawTable({
      columns: ['question', 'claims', 'missed', 'share', ''].map((title, k) => ({ title, align: k === 0 ? 'left' : 'right' })),
      rows,
    }),
    faults.length === 0
      ? 'No limits crossed, whatever was known was the truth, and every certificate verified.'
      : `Faults: ${count(faults.length)}\n${faults.slice(0, 5).join('\n')}`,
  ].join('\n')
}
