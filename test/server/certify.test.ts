import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Project } from '../../src/protocol/project.ts'
import { question } from '../../src/questions/spec.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { freshDirectory } from '../endings.ts'
import { alisHere } from '../in-process.ts'
import { type Page, startPage, truth } from './page.ts'

const verify = (...args: string[]) => alisHere(['verify', ...args])

async function learnedPage() {
  const page = await startPage()
  for (let k = 0; k < 2; k++) await page.answerRound()
  await page.until(({ phase, forecast }) => phase.kind === 'asking' && forecast !== undefined)
  return page
}

/** Answers batch after batch until the audit is over. */
async function auditToEnd(page: Page): Promise<Project> {
  for (let batches = 0; batches < 60; batches++) {
    const project = await page.settled()
    if (project.phase.kind !== 'asking' || project.phase.purpose !== 'audit') return project
    await page.answerRound()
  }
  throw new Error('no end')
}

describe('an audit on the page', () => {
  it('ends in a certificate that verify accepts, and learning goes on when it is asked to', async () => {
    const page = await learnedPage()
    const { model, answers } = await page.project()
    const forecast = await page.call<{ answers: number; curve: object[] }>('GET', '/forecast?tolerance=0.15&level=0.9')
    expect(forecast.body.answers).toBeGreaterThan(10)
    expect(forecast.body.curve.length).toBeGreaterThan(5)
    expect((await page.call('POST', '/audit', { tolerance: 0.15, level: 0.9 })).status).toBe(204)
    const begun = await page.until(({ phase }) => phase.kind === 'asking' && phase.purpose === 'audit')
    expect(begun.audit).toMatchObject({
      metric: 'error',
      model: model!.id,
      about: 'the model after round 2',
      answers: 0,
      steps: [],
    })
    const again = await page.call('POST', '/audit', { tolerance: 0.15, level: 0.9 })
    expect(again).toMatchObject({ status: 409, body: { code: 'audit-open' } })

    await page.answerRound()
    await page.answerRound()
    const { audit } = await page.until((now) => now.audit?.steps.length === 2)
    expect(audit!.steps.map((step) => step.answers)).toEqual([10, 20])
    expect(audit!.forecast!.answers).toBeGreaterThan(0)
    const over = await auditToEnd(page)
    expect(over).toMatchObject({ phase: { kind: 'done' }, isCertified: true, model: { id: model!.id } }) // it stays as it is
    expect((await page.call('POST', '/learning')).status).toBe(204)
    const on = await page.until(({ phase }) => phase.kind === 'asking')
    expect(on).toMatchObject({ phase: { purpose: 'learn', number: 4 }, isCertified: false }) // the third was left
    expect(over.answers).toBeGreaterThan(answers + 20)

    const [certificate] = over.certificates
    expect((certificate!.high! - certificate!.low!) / 2).toBeLessThanOrEqual(0.15)
    expect(certificate).toMatchObject({ metric: 'error', level: 0.9, isRevised: false, isEarlier: false })
    expect(certificate!.questions).toMatchObject([{ label: 'error', state: 'defined', low: certificate!.low }])
    const { path } = page.served.projectHost.session()!.project
    const file = join(path, 'certificates', readdirSync(join(path, 'certificates')).find((name) => name.endsWith('.json'))!)
    expect(certificate!.verify).toBe(`alis verify digits.alis/certificates/${file.split('/').at(-1)} --project digits.alis`)
    const text = readFileSync(file, 'utf8')
    const sent = await page.call('GET', `/certificates/${encodeURIComponent(certificate!.seal)}?download`)
    expect(`${JSON.stringify(sent.body, null, 2)}\n`).toBe(text)
    expect(sent.headers.get('content-disposition')).toMatch(/^attachment; filename="certificate-[0-9a-f]{12}.json"$/)
    expect(await verify(file, '--project', path)).toMatchObject({ code: 0, stdout: expect.stringContaining('Verified') })
    writeFileSync(file, text.replace('"answers": ', '"answers": 1'))
    expect(await verify(file, '--project', path)).toMatchObject({ code: 2 })
  })

  it('can be stopped at any answer: what was answered in draw order counts', async () => {
    const page = await learnedPage()
    await page.call('POST', '/audit', { tolerance: 0.01, level: 0.95 })
    await page.until(({ phase }) => phase.kind === 'asking' && phase.purpose === 'audit')
    expect(await page.call('POST', '/audit/finish')).toMatchObject({ status: 409, body: { code: 'no-answers' } })
    await page.answerRound()
    const { round, points } = await page.round()
    for (const k of [0, 1, 2, 5]) await page.answer(round, points[k]!.id, k === 1 ? null : truth.get(points[k]!.id)!)
    const { status, body } = await page.call<{ seal: string }>('POST', '/audit/finish')
    expect(status).toBe(200)
    const [certificate] = (await page.project()).certificates
    expect(certificate).toMatchObject({ seal: body.seal, answers: 13 })
    const { path } = page.served.projectHost.session()!.project
    const [file] = readdirSync(join(path, 'certificates')).filter((name) => name.endsWith('.json'))
    expect(await verify(join(path, 'certificates', file!), '--project', path)).toMatchObject({ code: 0, stderr: '' })
  })

  it('goes on after a restart as if nothing had been', async () => {
    const page = await learnedPage()
    await page.call('POST', '/audit', { budget: 40, level: 0.9 })
    await page.until(({ phase }) => phase.kind === 'asking' && phase.purpose === 'audit')
    for (let k = 0; k < 3; k++) await page.answerRound()
    const { audit, phase } = await page.until((now) => now.audit?.steps.length === 3 && now.phase.kind === 'asking')
    const { directory } = page.served.projectHost
    await page.served.close()
    const again = await startPage({ directory, work: { project: 'digits.alis', source: { kind: 'known' } } })
    const resumed = await again.settled()
    expect(resumed.audit).toEqual(audit)
    expect(resumed.phase).toEqual(phase)
    const { certificates } = await auditToEnd(again)
    const { path } = again.served.projectHost.session()!.project
    const [file] = readdirSync(join(path, 'certificates')).filter((name) => name.endsWith('.json'))

    // An answer that the certificate rests on is revised: it is about other answers than those that stand.
    const { rounds } = again.served.projectHost.session()!.record
    const measured = rounds.find(({ stream }) => stream.startsWith('audit/'))!
    const [id] = measured.ids
    const wrong = `${(Number(truth.get(id!)) + 1) % 10}`
    expect(certificates[0]!.isRevised).toBe(false)
    expect((await again.answer(measured.round, id!, wrong, { isRevision: true })).status).toBe(200)
    expect((await again.project()).certificates[0]!.isRevised).toBe(true)
    const outcome = await verify(join(path, 'certificates', file!), '--project', path)
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('revised') })
  })

  it('replays its record when an answer is revised on the way, and its certificate is of what stands then', async () => {
    const page = await learnedPage()
    await page.call('POST', '/audit', { budget: 30, level: 0.9 })
    await page.until(({ phase }) => phase.kind === 'asking' && phase.purpose === 'audit')
    const { round, points } = await page.round()
    const wrong = (id: string) => `${(Number(truth.get(id)) + 1) % 10}`
    for (const { id } of points) await page.answer(round, id, wrong(id))
    const before = await page.until((now) => now.audit?.steps.length === 1 && now.phase.kind === 'asking')
    expect(before.audit!.steps[0]!.value).toBeGreaterThan(0.5) // nearly all of them disagree with the model
    for (const { id } of points) {
      expect((await page.answer(round, id, truth.get(id)!, { isRevision: true })).status).toBe(200)
    }
    const { audit, phase } = await page.until((now) => now.phase.kind === 'asking' && (now.audit?.steps[0]?.value ?? 1) < 0.5)
    expect(phase).toEqual(before.phase)
    expect(audit!.steps).toHaveLength(1)
    const { certificates } = await auditToEnd(page)
    expect(certificates).toMatchObject([{ answers: 30, isRevised: false }])
    const { path } = page.served.projectHost.session()!.project
    const [file] = readdirSync(join(path, 'certificates')).filter((name) => name.endsWith('.json'))
    expect(JSON.parse(readFileSync(join(path, 'certificates', file!), 'utf8')).revisions).toHaveLength(10)
    expect(await verify(join(path, 'certificates', file!), '--project', path)).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('predictions of somebody else', () => {
  it('are measured by people, to a certificate', async () => {
    const directory = freshDirectory()
    const path = join(directory, 'predictions.csv')
    const rows = [...truth].map(
      ([id, digit], k) => `${id},${k % 9 === 0 ? (Number(digit) + 1) % 10 : digit},${k % 9 === 0 ? 0.6 : 0.95}`,
    )
    writeFileSync(path, ['id,label,p', ...rows, ''].join('\n'))
    const classes = Array.from({ length: 10 }, (_, digit) => `${digit}`)
    const audit = {
      questions: [question('error', { level: 0.9 }), question('recall', { positive: '3', level: 0.9 })],
      goal: { budget: 60 },
      batch: 10,
      strategy: 'alis-audit',
      seed: 3,
      seedChosen: true,
    } as const
    const reading = { prediction: 'label', confidence: 'p' }
    const page = await startPage({
      directory,
      work: {
        project: 'predictions.alis',
        source: {
          kind: 'predictions',
          predicted: { path, reading },
          audit,
          labelling: { question: 'Which digit?', guidelines: '', classes: keyed(classes) },
        },
      },
    })
    const { points } = await page.round()
    expect(points[0]!.content.fields.map(({ name }) => name)).toEqual(['id']) // what the model says is not shown
    const over = await auditToEnd(page)
    expect(over).toMatchObject({ purpose: 'audit', phase: { kind: 'done' } })
    const { low, high, questions, verify: command } = over.certificates[0]!
    expect(low! <= 1 / 9 && 1 / 9 <= high!).toBe(true)
    expect(questions.map(({ label }) => label)).toEqual(['error', 'recall of 3'])
    expect(command).toContain(`--pool ${path}`)
    const [file] = readdirSync(join(directory, 'predictions.alis/certificates')).filter((name) => name.endsWith('.json'))
    expect(await verify(join(directory, 'predictions.alis/certificates', file!), '--pool', path)).toMatchObject({ code: 0 })
  })
})
