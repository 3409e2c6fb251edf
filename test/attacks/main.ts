// Does to the product what a hostile person would, and prints what held:   node test/attacks/main.ts [words of names…]
import { stderr, stdout } from 'node:process'
import { progressBar } from '../../src/cli/terminal/progress.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { wantsColor } from '../../src/cli/terminal/width.ts'
import useOwnSettings from '../scratch.ts'
import { allAttacks } from './all.ts'
import { carryOut, type Try } from './attack.ts'

const forget = useOwnSettings()
const wanted = process.argv.slice(2)
const attacks = (await allAttacks()).filter(({ name }) => wanted.every((word) => name.includes(word)))
const bar = progressBar({ label: 'attacking', total: attacks.length })
const rows: string[][] = []
const fallen: string[] = []
for (const attack of attacks) {
  const tries = await carryOut(attack, { isThorough: true, seed: 1 }).catch((error: Error): Try[] => [
    { what: 'all of it', through: error.stack ?? error.message },
  ])
  const through = tries.filter((each) => each.through !== undefined)
  rows.push([attack.name, `${tries.length}`, `${tries.length - through.length}`])
  fallen.push(...through.slice(0, 5).map(({ what, through }) => `${attack.name}: ${what}: ${through}`))
  if (tries.length === 0) fallen.push(`${attack.name}: nothing was tried`)
  bar.update(rows.length)
}
bar.stop()

const columns = [{ title: 'attack', align: 'left' as const }, { title: 'tried' }, { title: 'held' }]
stdout.write(`${drawTable({ columns, rows, color: wantsColor(stdout) })}\n`)
for (const line of fallen) stderr.write(`\n${line}\n`)
forget()
process.exitCode = fallen.length > 0 ? 1 : 0
