import { parentPort } from 'node:worker_threads'
import { type Run, runAudit } from './run.ts'

parentPort?.on('message', async (run: Run) => parentPort?.postMessage(await runAudit(run)))
