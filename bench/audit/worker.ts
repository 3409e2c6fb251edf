import { parentPort } from 'node:worker_threads'
import { lookOnce } from './one-look.ts'
import { type Run, runAudit } from './run.ts'

parentPort?.on('message', async (run: Run) => parentPort?.postMessage(run.bets === 'none' ? lookOnce(run) : await runAudit(run)))
