// An audit that is committed to before its seed can be known: made as it was said, and refused where it was not.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOfRound } from '../src/core/drand.ts'
import { quicknet, roundAt, timeOfRound } from '../src/core/drand-rounds.ts'
import { identityOf } from '../src/core/hash.ts'
import { type Commitment, commitmentOf, commitmentText, drandBeacon, seedFrom } from '../src/questions/commitment.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-commit-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)
const pool = at('pool.csv')
copyFileSync(join(import.meta.dirname, 'golden', 'certificates', 'pool.csv'), pool)

const columns = ['--prediction', 'label', '--confidence', 'p']
const said = async (...args: string[]) => {
  const { code, stdout, stderr } = await alisHere(args)
  return code === 0 ? stdout : stderr
}
const audited = (...more: string[]) => said('audit', pool, ...columns, '--truth', 'y', '--quiet', ...more)
const read = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'))

/** A round that the network made: its number, and what it signed it with. */
const genuine = {
  round: 657413,
  randomness: 'fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587',
  signature: 'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b',
}

describe('a value of drand', () => {
  it('is known by the signature of its network over the number of its round', () => {
    const { round, signature } = genuine
    expect(isOfRound(round, signature)).toBe(true)
    expect(isOfRound(round + 1, signature)).toBe(false)
    expect(isOfRound(round, signature.replace('b7', 'b6'))).toBe(false)
    expect(isOfRound(round, 'f'.repeat(96))).toBe(false)
    expect(isOfRound(0.5, signature)).toBe(false)
  })

  it('has a time, and a time has a first round', () => {
    expect(timeOfRound(1).toISOString()).toBe('2023-08-23T15:09:27.000Z')
    for (const ms of [0, 1, 2999]) expect(roundAt(new Date(timeOfRound(100).getTime() - ms))).toBe(100)
    expect(roundAt(new Date(timeOfRound(100).getTime() + 1))).toBe(101)
  })
})

describe('committed to, with a lottery', () => {
  const options = [...columns, '--metric', 'error,recall:dog', '--budget', '40']
  beforeAll(async () => {
    await said('commit', pool, ...options, '--beacon', 'the draw of Saturday', '--commitment', at('own.json'))
    const given = ['--commitment', at('own.json'), '--beacon', ' 4 8 15 16 23 42 ']
    expect(await audited(...options, ...given, '--certificate', at('certificate.json'))).toContain('confidence')
  })
  const verify = (name: string, ...more: string[]) => said('verify', at(name), '--pool', pool, ...more)

  it('an audit is made and verified, against what was published too', async () => {
    const { committed, seed, seedChosen } = read('certificate.json')
    expect(committed).toEqual({ commitment: read('own.json'), value: '4 8 15 16 23 42' })
    expect({ seed, seedChosen }).toEqual({ seed: seedFrom(committed), seedChosen: false })
    for (const published of [at('own.json'), committed.commitment.seal]) {
      const words = await verify('certificate.json', '--commitment', published)
      expect(words).toMatch(
        /^Verified.*The seed was made from “the draw of Saturday” and from commitment sha256:.*nobody chose the seed/s,
      )
    }
    expect(await verify('certificate.json', '--commitment', `sha256:${'0'.repeat(64)}`)).toContain('is required, got sha256:')
  })

  it('another audit is refused, before an answer is spent', async () => {
    const given = ['--commitment', at('own.json'), '--beacon', '4 8 15']
    expect(await audited(...columns, '--budget', '40', ...given)).toContain('commitment: questions.1: must be')
    expect(await audited(...options.slice(0, -1), '41', ...given)).toContain('commitment: goal.budget: must be 40, got 41')
    expect(await audited(...options, '--batch', '7', ...given)).toContain('commitment: batch: must be 50, got 7')
    expect(await audited(...options, ...given, '--seed', '4')).toContain('--seed')
    expect(await audited(...options, '--commitment', at('own.json'))).toContain('the value of “the draw of Saturday” is required')
    expect(await audited(...options, '--beacon', '4')).toContain('--beacon: needs --commitment')
    writeFileSync(
      at('corrected.csv'),
      readFileSync(pool, 'utf8').replace(/^n0,(\w+)/m, (_, label) => `n0,${label === 'owl' ? 'cat' : 'owl'}`),
    )
    const corrected = ['audit', at('corrected.csv'), ...options, '--truth', 'y', ...given]
    expect(await said(...corrected)).toContain('commitment: model: must be "sha256:')
  })

  it('a file that is no commitment, or was edited, is refused; one that is there is kept', async () => {
    const spoilt = { ...read('own.json'), batch: 10 }
    writeFileSync(at('spoilt.json'), JSON.stringify(spoilt))
    for (const [name, says] of [
      ['spoilt.json', 'commitment: seal: must be'],
      ['pool.csv', 'a commitment is required, got something else'],
      ['none.json', 'a commitment is required, got nothing there'],
    ])
      expect(await audited(...options, '--commitment', at(name!), '--beacon', '4')).toContain(says)
    expect(await said('commit', pool, ...options, '--commitment', at('own.json'))).toContain(
      'a name that is not taken is required',
    )
  })

  it.each([
    ['another seed', (draft) => Object.assign(draft, { seed: draft.seed + 1 }), 'seed: must be'],
    ['another value', ({ committed }) => Object.assign(committed, { value: '1 2 3' }), 'seed: must be'],
    ['its goal', ({ committed }) => reseal(committed, { goal: { budget: 500 } }), 'seed: must be'],
    ['its model', ({ committed }) => reseal(committed, { model: 'sha256:0' }), 'seed: must be'],
    ['its seal', ({ committed }) => Object.assign(committed.commitment, { seal: 'sha256:0' }), 'commitment: seal: must be'],
    ['something more', ({ committed }) => Object.assign(committed, { note: 'trust me' }), 'note: must be absent'],
  ] as [string, (draft: ReturnType<typeof read>) => void, string][])(
    'a certificate with %s is refused',
    async (_, change, says) => {
      const { seal: _seal, signature: _signature, ...draft } = read('certificate.json')
      change(draft)
      writeFileSync(at('forged.json'), `${JSON.stringify({ ...draft, seal: identityOf(draft) }, null, 2)}\n`)
      expect(await verify('forged.json')).toContain(says)
    },
  )

  function reseal(committed: { commitment: Commitment }, change: Partial<Commitment>): void {
    const { format: _, seal: __, ...content } = committed.commitment
    committed.commitment = commitmentOf({ ...content, ...change })
  }

  it('a project keeps to it, and cannot be committed to afterwards', async () => {
    const given = ['--commitment', at('own.json'), '--beacon', '4 8 15 16 23 42', '--project', at('on.alis')]
    await audited(...options, ...given)
    const more = ['--metric', 'error', '--budget', '60', '--project', at('on.alis')]
    expect(await audited(...columns, ...more, '--batch', '9')).toContain('commitment: batch: must be 50, got 9')
    expect(await audited(...columns, ...more, '--by', 'region')).toContain('commitment: columns.by: must be absent')
    expect(await audited(...columns, ...more, '--certificate', at('more.json'))).toContain('60 answers')
    expect(await verify('more.json', '--commitment', at('own.json'))).toMatch(/^Verified/)
    await said('commit', pool, ...options, '--beacon', 'later', '--commitment', at('later.json'))
    const late = ['--commitment', at('later.json'), '--beacon', '1', '--project', at('on.alis')]
    expect(await audited(...options, ...late)).toContain('--commitment: the one that the audit began with is required')
  })
})

describe('committed to, with drand', () => {
  it('is about a round that is still to come', async () => {
    const options = ['commit', pool, ...columns, '--budget', '40', '--commitment']
    expect(await said(...options, at('drand.json'))).toMatch(/Seed from {2}drand round \d+, of 20/)
    expect(await audited(...columns, '--budget', '40', '--commitment', at('drand.json'))).toMatch(
      /round \d+ of drand must be out, got 20/,
    )
    expect(await said(...options, at('past.json'), '--beacon', 'drand:657413')).toContain(
      'still to come is required, got drand:657413',
    )
    expect(await said(...options, at('odd.json'), '--beacon', 'drand-7')).toContain('still to come is required, got drand-7')
  })

  it('fetches the round, and takes no other value, whoever answers', async () => {
    await said('commit', pool, ...columns, '--budget', '40', '--beacon', 'x', '--commitment', at('x.json'))
    const { format: _, seal: __, ...content } = read('x.json') as Commitment
    const made = new Date(timeOfRound(genuine.round).getTime() - 60_000).toISOString()
    const early = commitmentOf({ ...content, beacon: drandBeacon(genuine.round), made })
    writeFileSync(at('early.json'), commitmentText(early))
    let reply: object = genuine
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url!)
      response.end(JSON.stringify(reply))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const given = [...columns, '--budget', '40', '--commitment', at('early.json'), '--drand-url', url]
    try {
      expect(await audited(...given, '--certificate', at('fetched.json'))).toContain('40 answers')
      expect(asked).toEqual([`/${quicknet.chain}/public/${genuine.round}`])
      expect(await said('verify', at('fetched.json'), '--pool', pool)).toMatch(/^Verified.*public before 2023-09-15 11:00 UTC/s)
      expect(read('fetched.json').committed.value).toBe(genuine.signature)
      reply = { ...genuine, signature: genuine.signature.replace('b7', 'b6') }
      expect(await audited(...given)).toContain(`beacon: what drand signed round ${genuine.round} with is required`)
      reply = { message: 'not found' }
      expect(await audited(...given)).toContain('a reply of drand with a signature is required')
    } finally {
      server.close()
    }
    expect(await audited(...given)).toContain('drand must be within reach, got')
    writeFileSync(at('reply.json'), JSON.stringify(genuine))
    expect(await audited(...given, '--beacon', at('reply.json'), '--certificate', at('offline.json'))).toContain('40 answers')
    expect(read('offline.json').seed).toBe(read('fetched.json').seed)
    const late = commitmentOf({ ...content, beacon: drandBeacon(genuine.round), made: '2026-01-01T00:00:00.000Z' })
    writeFileSync(at('late.json'), commitmentText(late))
    expect(await audited(...columns, '--budget', '40', '--commitment', at('late.json'))).toContain('the value was known by then')
  })
})
