import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { connect } from '../../core/thread-calls.ts'
import type { WorkerMethods } from './worker-protocol.ts'

test('a worker that is told to close ends by itself, though it was asked for more: ending it while DuckDB reads would end us', async () => {
  const thread = new Thread(new URL('./worker.ts', import.meta.url), { execArgv: [] })
  const { remote } = connect<WorkerMethods>(thread, {})
  const ask = () => remote.inspect('data/digits.csv', {}).catch(() => {})
  await ask()
  const gone = once(thread, 'exit')
  for (let k = 0; k < 10; k++) void ask()
  void remote.close()
  for (let k = 0; k < 10; k++) void ask()
  expect(await gone).toEqual([0])
})
