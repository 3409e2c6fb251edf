import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { uniform } from '../../src/core/randomness.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { freshDirectory } from '../endings.ts'
import { startPage } from './page.ts'

it('an answer is saved while the worker is busy with what takes long', async () => {
  const directory = freshDirectory()
  const columns = 50
  const header = ['id', ...Array.from({ length: columns }, (_, j) => `x_${j}a`)].join(',')
  const rows = Array.from(
    { length: 6_000 },
    (_, i) => `${i},${Array.from({ length: columns }, (_, j) => uniform(j, 'x', `${i}`).toFixed(3)).join(',')}`,
  )
  writeFileSync(join(directory, 'large.csv'), [header, ...rows, ''].join('\n'))
  const classes = ['no', 'yes']
  const page = await startPage({
    directory,
    work: {
      project: 'large.alis',
      source: {
        kind: 'new',
        // A strategy that looks at d² numbers a point: its draw takes as long as some people think.
        beginning: {
          path: join(directory, 'large.csv'),
          wishes: {},
          classes,
          plan: { strategy: 'alis-variance', batch: 30, budget: 300 },
          start: 30,
          loss: 'logistic',
          l2: 1,
          seed: 1,
        },
        labelling: { question: '?', guidelines: '', classes: keyed(classes) },
      },
    },
  })
  const { round, points } = await page.round()
  for (const [k, { id }] of points.entries()) await page.answer(round, id, classes[k % 2]!)
  // The round is closed and the worker draws the next one. Revisions of the closed round are answers too.
  const { phase } = await page.project()
  expect(phase.kind).toBe('opening')
  let saved = 0
  const waits: number[] = []
  while ((await page.project()).phase.kind === 'opening') {
    const { id } = points[saved % points.length]!
    const started = performance.now()
    expect((await page.answer(round, id, classes[saved++ % 2]!, { isRevision: true })).status).toBe(200)
    waits.push(performance.now() - started)
  }
  const busy = waits.reduce((a, b) => a + b, 0)
  expect(saved).toBeGreaterThan(3) // many answers went through while one draw was made
  expect(Math.max(...waits)).toBeLessThan(busy / 2 + 1000)
})
