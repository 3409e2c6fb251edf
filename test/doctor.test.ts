import { expect, it } from 'vitest'
import { alis, jsonLines } from './command.ts'

it('says what the machine offers, for people and for programs', async () => {
  const said = await alis(['doctor'])
  expect(said).toMatchObject({ code: 0, stderr: '' })
  expect(said.stdout).toMatch(/^kernels {5}SIMD.* a second \(\d+ % of what can be read\)\nthreads {5}\d+ of \d+ processors\n/)
  const [found] = jsonLines((await alis(['doctor', '--json'], { env: { ALIS_THREADS: '1' } })).stdout)
  expect(found).toMatchObject({ type: 'result', threads: 1, kernels: expect.stringMatching(/relaxed|simd/) })
})

it('refuses a number of threads that is none', async () => {
  const { code, stderr } = await alis(['doctor'], { env: { ALIS_THREADS: 'many' } })
  expect([code, stderr]).toEqual([2, 'alis: ALIS_THREADS: a whole number of at least 1 is required, got "many"\n'])
})
