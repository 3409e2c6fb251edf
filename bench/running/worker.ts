import { parentPort } from 'node:worker_threads'
import type { Task } from '../questions/threads.ts'
import { type AttackRun, runAttack } from './attack-run.ts'
import { type PathRun, runPath } from './path-run.ts'
import { runWidths, type WidthsRun } from './widths-run.ts'

const functions: Record<string, (argument: never) => unknown> = {
  path: (run: PathRun) => runPath(run),
  widths: (run: WidthsRun) => runWidths(run),
  attack: (run: AttackRun) => runAttack(run),
}

parentPort?.on('message', async ({ name, argument }: Task<never>) => parentPort?.postMessage(await functions[name]!(argument)))
