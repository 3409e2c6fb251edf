import { type LearnerName, learnerNames } from '../../src/learners/catalogue.ts'
import { learnerOf, learnerSettings } from '../../src/projects/learner-of.ts'
import { loadPool } from '../../src/projects/load-pool.ts'
import { runLoop } from '../../src/projects/run-loop.ts'
import { type StrategyName, strategyNamed } from '../../src/strategies/catalogue.ts'
import type { Job, Point } from './kept.ts'
import type { Split } from './splits.ts'

export const isOurs = (learner: string): learner is LearnerName => learnerNames.some((name) => name === learner)

/** What `alis run` with this learner and strategy comes to, on the rows to test on, at each number of labels. */
export async function ourCurve({ pool, test, seed, set }: Split, job: Job, checkpoints: readonly number[]): Promise<Point[]> {
  const wish = { learner: job.learner as LearnerName, loss: 'logistic' as const, l2: 1 }
  const { steps, learner } = learnerSettings({ ...wish, strategy: job.draws })
  const options = { label: 'y', test, ...(set.text && { text: ['text'] }), ...(steps && { steps }) }
  const data = await loadPool(pool, options, seed)
  const strategy = strategyNamed(job.draws as StrategyName)
  const began = process.cpuUsage()
  const points: Point[] = []
  try {
    const rounds = runLoop(data, {
      learner: learnerOf(data, { ...wish, learner }),
      strategy,
      start: job.batch,
      batch: job.batch,
      budget: checkpoints.at(-1)!,
      seed,
    })
    for await (const { labels, test: tested, model } of rounds) {
      if (!checkpoints.includes(labels)) continue
      const { user, system } = process.cpuUsage(began)
      const choice = model.kind === 'columns' ? undefined : model.choice
      points.push({ labels, ...tested!, seconds: (user + system) / 1e6, ...(choice && { chosen: choice.learner }) })
    }
  } finally {
    await data.close()
  }
  return points
}
