import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { auditOpening, begunProject, earlierOutcomeOf, opening, outcomeOf, reopened } from '../../../test/server/fixture.ts'
import type { Project } from '../../stores/project.ts'
import { openCertificates } from './certificates.ts'
import { openRecord } from './record.ts'

const model = 'sha256:0123456789abcdef'
const certificatesOf = async (project: Project, predictions?: string) =>
  openCertificates({ project, name: 'my letters.alis', record: await openRecord(project), predictions })
const filesOf = ({ path }: Project) => readdirSync(join(path, 'certificates')).sort()

it('a certificate is on record and beside it as a file, named by its model', async () => {
  const project = await begunProject()
  const certificates = await certificatesOf(project)
  const outcome = outcomeOf(model, { a: 'yes' })
  await certificates.keep(outcome)
  expect(filesOf(project)).toEqual(['0123456789ab.html', '0123456789ab.json'])
  expect(readFileSync(join(project.path, 'certificates/0123456789ab.json'), 'utf8')).toBe(outcome.text)
  const [kept] = await project.certificates()
  expect(certificates.summaries()).toEqual([
    {
      seal: outcome.seal,
      time: kept!.time,
      model,
      metric: 'error',
      value: 0.2,
      low: 0.1,
      high: 0.3,
      level: 0.95,
      answers: 1,
      isRevised: false,
      people: [],
      isEarlier: false,
      questions: [
        {
          label: 'error',
          metric: 'error',
          level: 0.95,
          state: 'defined',
          value: 0.2,
          low: 0.1,
          high: 0.3,
          answers: 1,
          points: 100,
        },
      ],
      verify: "alis verify 'my letters.alis/certificates/0123456789ab.json' --project 'my letters.alis'",
    },
  ])
  expect(certificates.summaries([{ id: model, round: 4 }])).toMatchObject([{ model, after: 5 }])
  await certificates.keep(outcome)
  expect(certificates.summaries()).toHaveLength(1)
})

it('another certificate of the same model writes over nothing', async () => {
  const project = await begunProject()
  const certificates = await certificatesOf(project)
  const [first, second] = [outcomeOf(model, { a: 'yes' }), outcomeOf(model, { a: 'yes', b: 'no' })]
  await certificates.keep(first)
  await certificates.keep(second)
  const name = `0123456789ab-${second.seal.slice(7, 19)}`
  expect(filesOf(project)).toEqual([`${name}.html`, `${name}.json`, '0123456789ab.html', '0123456789ab.json'])
  expect(readFileSync(join(project.path, 'certificates', '0123456789ab.json'), 'utf8')).toBe(first.text)
  expect(certificates.summaries()[1]!.verify).toContain(`${name}.json`)
})

it('files are found again by what is in them, and one that is gone is written again', async () => {
  const project = await begunProject()
  const [first, second] = [outcomeOf(model, { a: 'yes' }), outcomeOf('sha256:fedcba987654', { a: 'yes' })]
  const certificates = await certificatesOf(project)
  for (const outcome of [first, second]) await certificates.keep(outcome)
  rmSync(join(project.path, 'certificates/fedcba987654.json'))
  const again = await certificatesOf(await reopened(project))
  expect(again.summaries()).toEqual(certificates.summaries())
  expect(existsSync(join(project.path, 'certificates/fedcba987654.json'))).toBe(true)
})

it('is void where an answer to this audit is another one now, and only there', async () => {
  const project = await begunProject()
  const record = await openRecord(project)
  const certificates = await openCertificates({ project, name: 'x.alis', record })
  await certificates.keep(outcomeOf(model, { a: 'yes', b: 'no' }))
  await record.open(auditOpening([], ['a', 'b'], { model }))
  for (const [id, label] of Object.entries({ a: 'yes', b: 'no' })) await record.answer(0, id, label)
  await record.close(0)
  await record.open(auditOpening(record.rounds, ['a'], { model: 'sha256:other' }))
  await record.answer(1, 'a', 'no') // to another audit
  expect(certificates.summaries()[0]!.isRevised).toBe(false)
  await record.revise(0, 'b', 'yes')
  expect(certificates.summaries()[0]!.isRevised).toBe(true)
})

it('of predictions is verified with their file', async () => {
  const certificates = await certificatesOf(await begunProject(), '/pools/guesses.csv')
  await certificates.keep(outcomeOf(model, { a: 'yes' }))
  expect(certificates.summaries()[0]!.verify).toMatch(/ --pool \/pools\/guesses\.csv$/)
})

it('is void where a label that was given to it is another one now', async () => {
  const project = await begunProject()
  const record = await openRecord(project)
  const certificates = await openCertificates({ project, name: 'x.alis', record })
  const { text, ...outcome } = outcomeOf(model, { a: 'yes' }, 1)
  await certificates.keep({ ...outcome, text: text.replace('"given": []', '"given": [{ "id": "g", "answer": "no" }]') })
  await record.open(opening(0, ['g']))
  await record.answer(0, 'g', 'no')
  await record.close(0)
  expect(certificates.summaries()[0]!.isRevised).toBe(false)
  await record.revise(0, 'g', 'yes')
  expect(certificates.summaries()[0]!.isRevised).toBe(true)
})

it('of an earlier release is listed, and cannot be verified', async () => {
  const project = await begunProject()
  const record = await openRecord(project)
  const certificates = await openCertificates({ project, name: 'x.alis', record })
  await certificates.keep(earlierOutcomeOf(model, { metric: 'recall', positive: 'yes' }))
  expect(certificates.summaries()).toEqual([
    expect.objectContaining({ metric: 'recall', low: 0.1, high: 0.3, isEarlier: true, isRevised: false, questions: [] }),
  ])
  expect(certificates.summaries()[0]).not.toHaveProperty('verify')
  await record.open(auditOpening([], ['a'], { model }))
  await record.answer(0, 'a', 'no')
  expect(certificates.summaries()[0]!.isRevised).toBe(true)
})
