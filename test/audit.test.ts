import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniform } from '../src/core/randomness.ts'
import { certificateText } from '../src/questions/certificate.ts'
import { jsonLines as lines } from './command.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => alisHere(args)

const classes = ['cat', 'dog', 'owl']
const rows = Array.from({ length: 4000 }, (_, i) => {
  const chance = 0.9 * uniform(4, 'chance', `${i}`) ** 9
  const own = Math.floor(3 * uniform(4, 'class', `${i}`)) % 3
  const isWrong = uniform(4, 'wrong', `${i}`) < chance
  return { id: `n${i}`, label: classes[own]!, p: (1 - chance).toFixed(6), y: classes[isWrong ? (own + 1) % 3 : own]! }
})
const error = rows.filter(({ label, y }) => label !== y).length / rows.length

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const csv = (some: typeof rows) =>
  ['id,label,p,y', ...some.map(({ id, label, p, y }) => `${id},${label},${p},${y}`), ''].join('\n')
const pool = file('predictions.csv', csv(rows))
const ownKey = async () => {
  const { key, fingerprint } = lines((await run('key', '--json')).stdout)[0]
  return { key, fingerprint }
}

/** As much of a certificate as is looked at or spoilt. */
interface Draft {
  claim: string
  value: number
  low: number
  seed: number
  seedChosen: boolean
  model: string
  reached: boolean
  goal: { tolerance: number }
  pool: { size: number; hash: string }
  questions: { low: number; claim: string; state: string; question: { level: number } }[]
  rounds: {
    rules: { isPlain: boolean; mass: { mean: number }; belief: { slope: number }; questions: { totals: { mass: number }[] }[] }
    strategy: string
    draws: { id: string; order: number; probability: number; answer: string | null }[]
  }[]
}
const columns = ['--prediction', 'label', '--confidence', 'p', '--truth', 'y']

describe('alis audit', () => {
  it('writes rounds and a result in the documented form, and the interval holds the truth', async () => {
    const { code, stdout, stderr } = await run('audit', pool, ...columns, '--tolerance', '0.02', '--seed', '3', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const all = lines(stdout)
    for (const [k, { type, answers, value, low, high }] of all.slice(0, -1).entries()) {
      expect(type).toBe('round')
      if (k < all.length - 2) expect(answers).toBe(50 * (k + 1))
      expect(low <= value && value <= high).toBe(true)
    }
    const result = all.at(-1)
    expect(result).toMatchObject({ type: 'result', metric: 'error', level: 0.95, pool: 4000, reached: true })
    expect((result.high - result.low) / 2).toBeLessThanOrEqual(0.02)
    expect(result.low <= error && error <= result.high).toBe(true)
  })

  it('is the same to the byte for equal seeds, whatever the order of the file', async () => {
    const turned = file('turned.csv', csv(rows.toReversed()))
    const args = [...columns, '--budget', '200', '--seed', '9', '--json']
    expect((await run('audit', turned, ...args)).stdout).toBe((await run('audit', pool, ...args)).stdout)
  })

  it('measures accuracy as the other side of error', async () => {
    const args = [...columns, '--budget', '150', '--seed', '9', '--json']
    const wrong = lines((await run('audit', pool, ...args)).stdout).at(-1)
    const right = lines((await run('audit', pool, ...args, '--metric', 'accuracy')).stdout).at(-1)
    expect(right.low).toBeCloseTo(1 - wrong.high, 9)
    expect(right.value).toBeCloseTo(1 - wrong.value, 9)
    expect(right.high).toBeCloseTo(1 - wrong.low, 9)
  })

  it('takes probabilities of all classes, and gets the same from them as from predictions and confidences', async () => {
    const wide = rows.map(({ id, label, p, y }) =>
      [id, ...classes.map((name) => (name === label ? p : ((1 - Number(p)) / 2).toFixed(6))), y].join(),
    )
    const path = file('wide.csv', ['id,cat,dog,owl,y', ...wide, ''].join('\n'))
    const probable = lines(
      (await run('audit', path, '--probabilities', 'cat,dog,owl', '--truth', 'y', '--tolerance', '0.03', '--json')).stdout,
    ).at(-1)
    expect(probable.reached).toBe(true)
  })

  it('draws uniformly where there is no confidence', async () => {
    const { stdout } = await run('audit', pool, '--prediction', 'label', '--truth', 'y', '--budget', '100', '--seed', '1')
    expect(stdout).toContain('drawn uniformly: no confidence is given')
    expect(stdout).toMatch(/With 95 % confidence, between .* of the 4,000 predictions are wrong\./)
    expect(stdout).toContain('This rests on 100 answers')
  })

  const gate = (below: string, ...more: string[]) => [...columns, '--below', below, '--seed', '3', '--json', ...more]

  it('ends with exit code 3 where the goal was not reached, and its certificate opens the gate for those who ask less', async () => {
    const certificate = join(folder, 'gate.json')
    const missed = await run('audit', pool, ...gate('0.04', '--budget', '50', '--certificate', certificate))
    expect({ ...missed, stdout: lines(missed.stdout).at(-1).reached }).toEqual({ code: 3, stdout: false, stderr: '' })
    const { high } = JSON.parse(readFileSync(certificate, 'utf8'))
    const verify = (below: number) => run('verify', certificate, '--pool', pool, '--below', `${below}`, '--json')
    expect(lines((await verify(high)).stdout)[0]).toMatchObject({ verified: true, high, reached: true })
    expect(await verify(high - 0.001)).toMatchObject({ code: 3, stderr: '' })
  })

  it('is not below a ceiling because every answer is there', async () => {
    const few = file(
      'few.csv',
      csv([
        ...rows.slice(0, 20),
        ...rows
          .slice(20)
          .filter(({ label, y }) => label !== y)
          .slice(0, 5),
      ]),
    )
    const { code, stdout } = await run('audit', few, ...gate('0.1'))
    expect({ code, result: lines(stdout).at(-1) }).toMatchObject({ code: 3, result: { reached: false, answers: 25 } })
    expect((await run('audit', few, ...gate('0.5'))).code).toBe(0)
  })

  it.each([
    ['no prediction', ['--confidence', 'p', '--truth', 'y'], /prediction: a column is required, got none/],
    [
      'a confidence that is none',
      ['--prediction', 'label', '--confidence', 'big', '--truth', 'y'],
      /big: a number in \[0, 1\] is required, got 9\d? in row 1/,
    ],
    ['unknown column', ['--prediction', 'lable', '--confidence', 'p', '--truth', 'y'], /lable/],
    [
      'tolerance and ceiling',
      [...columns, '--tolerance', '0.1', '--below', '0.2'],
      /--below: must stand without --tolerance, got both/,
    ],
    ['level 1', [...columns, '--level', '1'], /a number in \(0\.5, 1\) is required/],
  ])('%s: a clear message and exit code 2', async (_, args, message) => {
    const path = file('big.csv', 'id,label,p,big,y\na,x,0.9,90,x\nb,y,0.8,80,y\n')
    const { code, stderr } = await run('audit', path, ...args)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })
})

describe('every metric', () => {
  // A spam filter, and an older one beside it.
  const mails = Array.from({ length: 3000 }, (_, i) => {
    const chance = uniform(8, 'spam', `${i}`) ** 4
    const noisy = chance + 0.3 * (uniform(8, 'noise', `${i}`) - 0.5)
    const isNew = chance > 0.4
    return {
      id: `m${i}`,
      new: isNew ? 'spam' : 'ham',
      p: (isNew ? chance : 1 - chance).toFixed(6),
      old: noisy > 0.4 ? 'spam' : 'ham',
      y: uniform(8, 'truth', `${i}`) < chance ? 'spam' : 'ham',
    }
  })
  const path = file(
    'mails.csv',
    ['id,new,p,old,y', ...mails.map((m) => `${m.id},${m.new},${m.p},${m.old},${m.y}`), ''].join('\n'),
  )
  const countOf = (holds: (m: (typeof mails)[0]) => boolean) => mails.filter(holds).length
  const found = countOf((m) => m.new === 'spam' && m.y === 'spam')
  const predicted = countOf((m) => m.new === 'spam')
  const real = countOf((m) => m.y === 'spam')
  const truths: [string, number][] = [
    ['precision', found / predicted],
    ['recall', found / real],
    ['f1', (2 * found) / (predicted + real)],
    ['prevalence', real / mails.length],
  ]

  it.each(truths)('%s: the interval holds the truth, and the certificate is verified', async (metric, exact) => {
    const certificate = join(folder, `${metric}.json`)
    const args = ['--prediction', 'new', '--confidence', 'p', '--truth', 'y', '--metric', metric, '--positive', 'spam']
    const { code, stdout } = await run(
      'audit',
      path,
      ...args,
      '--tolerance',
      '0.05',
      '--seed',
      '4',
      '--certificate',
      certificate,
      '--json',
    )
    expect(code).toBe(0)
    const result = lines(stdout).at(-1)
    expect(result).toMatchObject({ metric, reached: true })
    expect(result.low <= exact && exact <= result.high).toBe(true)
    expect(result.answers).toBeLessThan(2000)
    expect((await run('verify', certificate, '--pool', path)).code).toBe(0)
  })

  it('difference: tells which of two models is better, asking only where they disagree', async () => {
    const certificate = join(folder, 'difference.json')
    const args = ['--prediction', 'new', '--confidence', 'p', '--against', 'old', '--truth', 'y']
    const { stdout } = await run(
      'audit',
      path,
      ...args,
      '--tolerance',
      '0.02',
      '--seed',
      '4',
      '--certificate',
      certificate,
      '--json',
    )
    const exact = (countOf((m) => m.new !== m.y) - countOf((m) => m.old !== m.y)) / mails.length
    const { low, high, metric } = lines(stdout).at(-1)
    expect(metric).toBe('difference')
    expect(low <= exact && exact <= high).toBe(true)
    const disagree = new Set(mails.filter((m) => m.new !== m.old).map(({ id }) => id))
    const { rounds } = JSON.parse(readFileSync(certificate, 'utf8')) as Draft
    for (const { id } of rounds.flatMap(({ draws }) => draws)) expect(disagree).toContain(id)
    expect((await run('verify', certificate, '--pool', path)).code).toBe(0)
  })

  it('precision of a class nobody predicts has nobody to ask', async () => {
    const never = file('never.csv', 'id,l,p,y\na,ham,0.9,spam\nb,ham,0.8,ham\n')
    const args = ['--prediction', 'l', '--confidence', 'p', '--truth', 'y', '--metric', 'precision', '--positive', 'spam']
    const { code, stderr } = await run('audit', never, ...args)
    expect(stderr).toContain('got a pool where no answer changes what is asked')
    expect(code).toBe(2)
    expect((await run('audit', never, ...args.slice(0, -1), 'eggs')).stderr).toContain(
      'positive: one of ham, spam is required for precision, got eggs',
    )
  })
})

describe('alis verify', () => {
  const path = join(folder, 'certificate.json')
  let text = ''
  beforeAll(async () => {
    const { code } = await run('audit', pool, ...columns, '--tolerance', '0.03', '--certificate', path)
    expect(code).toBe(0)
    text = readFileSync(path, 'utf8')
  })

  it('accepts a real certificate, also from the same rows in another order', async () => {
    const { code, stdout, stderr } = await run('verify', path, '--pool', pool, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(lines(stdout)).toEqual([{ type: 'result', verified: true, signed: expect.objectContaining(await ownKey()) }])
    expect((await run('verify', path, '--pool', file('turned.csv', csv(rows.toReversed())))).code).toBe(0)
  })

  it('says who signed it, and can require one key, by that, its fingerprint or a file', async () => {
    const { key, fingerprint } = await ownKey()
    const published = file('key.pub', `${key}\n`)
    for (const named of [key, fingerprint, fingerprint.replaceAll(' ', ':').toUpperCase(), published]) {
      const { code, stdout } = await run('verify', path, '--pool', pool, '--signed-by', named)
      expect(code).toBe(0)
      expect(stdout).toContain(`key ${fingerprint}`)
    }
    const other = await run('verify', path, '--pool', pool, '--signed-by', `ed25519:${'0'.repeat(64)}`)
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining(`got one by ${key}`) })
    const misspelt = await run('verify', path, '--pool', pool, '--signed-by', 'Ada')
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('a public key, its fingerprint or a file') })
  })

  it('refuses a signature that is not of this certificate, and one that is missing where it is required', async () => {
    const { key } = await ownKey()
    const draft = JSON.parse(text)
    const renamed = file('renamed.json', certificateText({ ...draft, signature: { ...draft.signature, by: 'Somebody Else' } }))
    expect((await run('verify', renamed, '--pool', pool)).stderr).toContain('signature: must be made with')
    const { signature: _, ...unsigned } = draft
    const bare = file('unsigned.json', certificateText(unsigned))
    expect(await run('verify', bare, '--pool', pool, '--json')).toMatchObject({
      code: 0,
      stdout: '{"type":"result","verified":true}\n',
    })
    expect((await run('verify', bare, '--pool', pool, '--signed-by', key)).stderr).toContain('got none: nobody signed it')
  })

  it('comes with a page for people', () => {
    const page = readFileSync(join(folder, 'certificate.html'), 'utf8')
    expect(page).toContain('<dt>Signed by</dt>')
    expect(page).toContain(JSON.parse(text).claim)
    expect(page).toContain('It is about these predictions on this pool, not about new data.')
    expect(page).not.toMatch(/https?:\/\//) // nothing from elsewhere
  })

  const draws = ({ rounds }: Draft) => rounds.flatMap((round) => round.draws)
  it.each<[string, (draft: Draft) => unknown, RegExp]>([
    ['an id', (c) => Object.assign(draws(c)[3]!, { id: draws(c)[4]!.id }), /rounds\.0\.draws\.3\.id|more of stratum/],
    ['an order', (c) => Object.assign(draws(c)[3]!, { order: 9 }), /rounds\.0\.draws\.3\.order/],
    ['two draws swapped', (c) => c.rounds[0]!.draws.splice(5, 2, draws(c)[6]!, draws(c)[5]!), /rounds\.0\.draws\.5/],
    [
      'a probability',
      (c) => Object.assign(c.rounds[1]!.draws[3]!, { probability: c.rounds[1]!.draws[3]!.probability * (1 + 1e-6) }),
      /rounds\.1\.draws\.3\.probability/,
    ],
    [
      'the last bit of a probability',
      (c) => Object.assign(draws(c)[3]!, { probability: draws(c)[3]!.probability * (1 + 2e-16) }),
      /seal: must be/,
    ],
    ['an answer', (c) => Object.assign(draws(c)[0]!, { answer: draws(c)[0]!.answer === 'cat' ? 'dog' : 'cat' }), /certificate: /],
    ['an answer to cannot tell', (c) => Object.assign(draws(c)[7]!, { answer: null }), /certificate: /],
    ['a draw left out', (c) => c.rounds[0]!.draws.splice(10, 1), /certificate: rounds\./],
    ['a round left out', (c) => c.rounds.splice(1, 1), /certificate: rounds\.1/],
    ['a belief', (c) => Object.assign(c.rounds[1]!.rules.belief, { slope: 2 }), /rounds\.1\.rules\.belief\.slope/],
    ['a mass', (c) => Object.assign(c.rounds[1]!.rules.mass, { mean: 2 }), /rounds\.1\.rules\.mass\.mean/],
    ['whether a round was plain', (c) => Object.assign(c.rounds[1]!.rules, { isPlain: true }), /rounds\.1\.rules/],
    [
      'a total',
      (c) => Object.assign(c.rounds[1]!.rules.questions[0]!.totals[0]!, { mass: 1 }),
      /rounds\.1\.rules\.questions|record: mass/,
    ],
    ['the strategy', (c) => Object.assign(c.rounds[1]!, { strategy: 'uniform' }), /rounds\.1\.rules/],
    ['the seed', (c) => Object.assign(c, { seed: c.seed + 1 }), /rounds\.0\.draws\.0/],
    ['who chose the seed', (c) => Object.assign(c, { seedChosen: true }), /seal/],
    [
      'the model',
      (c) => Object.assign(c, { model: c.model.replace(/.$/, (d) => (d === '0' ? '1' : '0')) }),
      /model: must be "sha256:/,
    ],
    ['the pool', (c) => Object.assign(c.pool, { hash: c.pool.hash.replace(/.$/, (d) => (d === '0' ? '1' : '0')) }), /pool\.hash/],
    ['its size', (c) => Object.assign(c.pool, { size: c.pool.size + 1 }), /pool\.size/],
    [
      'a limit of a question',
      (c) => Object.assign(c.questions[0]!, { low: c.questions[0]!.low + 1e-6 }),
      /questions\.0\.low: must be/,
    ],
    ['its level', (c) => Object.assign(c.questions[0]!.question, { level: 0.99 }), /questions: all that was asked/],
    ['its state', (c) => Object.assign(c.questions[0]!, { state: 'known' }), /questions\.0\.state: must be/],
    ['its claim', (c) => Object.assign(c.questions[0]!, { claim: 'All is well.' }), /questions\.0\.claim: must be/],
    ['a limit', (c) => Object.assign(c, { low: c.low + 1e-9 }), /low: must be/],
    ['the estimate', (c) => Object.assign(c, { value: c.value - 1e-12 }), /value: must be/],
    ['the claim', (c) => Object.assign(c, { claim: c.claim.replace('wrong', 'right') }), /claim: must be/],
    ['whether the goal was reached', (c) => Object.assign(c, { reached: false }), /reached: must be true, got false/],
    ['the goal', (c) => Object.assign(c.goal, { tolerance: 0.001 }), /goal\.tolerance: must be 0\.03, got 0\.001/],
    ['a word of praise', (c) => Object.assign(c, { note: 'excellent' }), /note: must be absent, got "excellent"/],
    ['the release left out', (c) => Object.assign(c, { versions: {} }), /version 1 of draws is required, got none/],
    ['nothing asked', (c) => Object.assign(c, { questions: [] }), /must be a certificate/],
  ])('rejects a certificate with %s changed', async (_, change, message) => {
    const draft = JSON.parse(text)
    change(draft)
    const { code, stderr } = await run('verify', file('forged.json', `${JSON.stringify(draft, null, 2)}\n`), '--pool', pool)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  it('rejects a wrong answer replaced by another wrong one, which changes no number: the seal is broken', async () => {
    const draft = JSON.parse(text) as Draft
    const label = new Map(rows.map(({ id, label: own }) => [id, own]))
    const wrong = draws(draft).find(({ id, answer }) => answer !== label.get(id))!
    wrong.answer = classes.find((name) => name !== wrong.answer && name !== label.get(wrong.id))!
    const { code, stderr } = await run('verify', file('forged.json', `${JSON.stringify(draft, null, 2)}\n`), '--pool', pool)
    expect(stderr).toMatch(/seal: must be/)
    expect(code).toBe(2)
  })

  it.each([
    ['a prediction', (line: string) => line.replace('cat', 'dog'), /model: must be/],
    ['a confidence', (line: string) => line.replace(/0\.\d+/, '0.5'), /model: must be/],
    ['an id', (line: string) => line.replace('n7,', 'n99999,'), /pool\.hash/],
  ])('rejects the pool with %s changed', async (_, change, message) => {
    const changed = csv(rows)
      .split('\n')
      .map((line, k) => (k === 8 || k === rows.findIndex(({ label }) => label === 'cat') + 1 ? change(line) : line))
    const { code, stderr } = await run('verify', path, '--pool', file('changed.csv', changed.join('\n')))
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  it.each([
    ['a space', (t: string) => t.replace('  "claim"', '   "claim"')],
    ['what is no certificate', () => '{"hello": 1}'],
    ['what is no JSON', () => 'hello'],
  ])('rejects %s', async (_, change) => {
    expect((await run('verify', file('forged.json', change(text)), '--pool', pool)).code).toBe(2)
  })
})
