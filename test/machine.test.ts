import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProject } from '../src/stores/sqlite.ts'
import { jsonLines } from './command.ts'
import { alisHere } from './in-process.ts'
import { languageModel } from './stand-ins.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-machine-'))
let model: Awaited<ReturnType<typeof languageModel>>
beforeAll(async () => {
  model = await languageModel()
  const rows = Array.from(
    { length: 80 },
    (_, i) => `a${i},What is ${i} + 1?,${i % 3 ? 'It is' : 'about'} ${i + 1},${i % 4 ? 'pass' : 'fail'}`,
  )
  writeFileSync(join(folder, 'answers.csv'), ['id,question,answer,judge', ...rows, ''].join('\n'))
})
afterAll(() => {
  model.close()
  rmSync(folder, { recursive: true })
})

const alis = (...args: string[]) => alisHere(args, { cwd: folder })
const asked = ['--oracle-model', 'tiny', '--oracle-prompt', 'pass or fail? {question} {answer}']
const audit = (...more: string[]) =>
  alis(
    'audit',
    'answers.csv',
    '--judge',
    'judge',
    '--oracle-url',
    `${model.url}/v1`,
    ...asked,
    '--seed',
    '5',
    '--project',
    'm.alis',
    ...more,
  )

it('answers of a machine are marked in claims, certificates, exports and status, until a person revises one', async () => {
  const { code, stdout, stderr } = await audit('--budget', '20', '--certificate', 'm.json', '--report', 'report.html')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const name = `tiny at ${new URL(model.url).host}`
  expect(stdout).toContain(`This rests on 20 answers, all of them by a machine (${name})`)
  expect(stdout).toContain(`It takes the answers for the truth, also those of ${name}`)
  const text = readFileSync(join(folder, 'm.json'), 'utf8')
  const { rounds } = JSON.parse(text)
  expect(rounds.flatMap((round: { draws: { machine?: string }[] }) => round.draws.map(({ machine }) => machine))).toEqual(
    Array(20).fill(name),
  )
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain(`20, all of them by a machine (${name})`)
  expect(jsonLines((await alis('status', 'm.alis', '--json')).stdout)[0].machines).toEqual([{ name, answers: 20 }])
  await alis('export', 'm.alis', '--only', 'labels', '--out', 'labels')
  expect(readFileSync(join(folder, 'labels/labels.csv'), 'utf8').match(/,machine: tiny at /g)).toHaveLength(20)

  const verify = (...more: string[]) => alis('verify', 'm.json', ...more)
  expect((await verify('--project', 'm.alis')).code).toBe(0)
  const project = await openProject(join(folder, 'm.alis'))
  const { id, answer } = rounds[0].draws[0]
  await project.revise(rounds[0].round, id, answer, { annotator: 'Ada' })
  expect((await project.rounds())[0]!.machines?.size).toBe(19)
  await project.close()
  expect((await verify('--project', 'm.alis')).stderr).toContain('machine: must be absent')
  expect((await verify('--pool', 'answers.csv')).code).toBe(0)
  expect((await alis('ask', 'm.alis', '--metric', 'kappa')).stdout).toContain('19 of them by a machine')
})

it('a machine without a prompt is no machine, and a prompt without a machine asks nobody', async () => {
  const { code, stderr } = await alis('audit', 'answers.csv', '--judge', 'judge', '--truth', 'judge', ...asked)
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('the address of a service is required') })
  const noPrompt = await alis('audit', 'answers.csv', '--judge', 'judge', '--oracle-url', model.url, '--oracle-model', 'tiny')
  expect(noPrompt.stderr).toContain('--oracle-model: a prompt is required')
})
