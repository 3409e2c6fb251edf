// Shows people what alis says to bad input:   node test/bad-input/main.ts
import { stderr, stdout } from 'node:process'
import { progressBar } from '../../src/cli/terminal/progress.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { wantsColor } from '../../src/cli/terminal/width.ts'
import { cases } from './cases.ts'
import { attemptAll } from './run.ts'
import { openBench } from './stock.ts'
import type { Trial } from './trial.ts'

const bench = await openBench()
const bar = progressBar({ label: 'trying', total: cases.length })
const trials = new Map<string, Trial>()
const skipped: string[] = []
await attemptAll(cases, bench, ({ name }, trial) => {
  if ('obstacle' in trial) skipped.push(`${name}: not tried, ${trial.obstacle}`)
  else trials.set(name, trial)
  bar.update(trials.size + skipped.length)
}).finally(() => {
  bar.stop()
  bench.close()
})

const rows = cases.flatMap(({ name }) => {
  const trial = trials.get(name)
  return trial ? rowsOf(name, trial) : []
})
const columns = ['input', 'message', 'exit', 'nothing lost'].map((title) => ({ title, align: 'left' as const }))
stdout.write(`${drawTable({ columns, rows, color: wantsColor(stdout) })}\n`)
for (const line of skipped) stderr.write(`${line}\n`)

const faults = [...trials].filter(([, { complaints }]) => complaints.length > 0)
for (const [name, { complaints }] of faults) stderr.write(`\n${name}:\n${complaints.map((each) => `  ${each}\n`).join('')}`)
stdout.write(`\n${trials.size} inputs, ${trials.size - faults.length} as they should be\n`)
process.exitCode = faults.length > 0 ? 1 : 0

/** A message is wrapped, and the hint stands below it. */
function rowsOf(name: string, { message, hint, exit, lost }: Trial): string[][] {
  const [first = '', ...more] = [...wrap(message, 88), ...wrap(hint ? `→ ${hint}` : '', 88)]
  return [[name, first, `${exit}`, lost.length === 0 ? '✓' : lost.join(', ')], ...more.map((line) => ['', line])]
}

function wrap(text: string, width: number): string[] {
  return text.match(new RegExp(`.{1,${width}}(?= |$)|\\S+`, 'g'))?.map((line) => line.trimStart()) ?? []
}
