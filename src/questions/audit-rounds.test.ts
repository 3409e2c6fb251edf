import { describe, expect, it } from 'vitest'
import { testFrame, testPool } from '../../test/questions/test-pool.ts'
import type { Label, RoundFacts } from '../core/record.ts'
import { answersIn, auditRounds, certifiedRounds, givenIn, strataAsked } from './audit-rounds.ts'
import type { LearnedRules, LearningRecord } from './learned.ts'
import type { AuditSubject } from './subject.ts'

interface Facts {
  readonly purpose?: 'learn' | 'audit' | 'given'
  readonly model?: string
  /** Points drawn, with the answer to each; undefined: none yet. */
  readonly told: Readonly<Record<string, Label | undefined>>
  readonly changes?: Partial<RoundFacts>
}

const rules = {
  belief: { kind: 'plain', wrong: [0.1, 0.1] },
  mass: { kind: 'equal' },
  isPlain: true,
  goal: {},
  questions: [],
} as const

/** A record of such rounds over 12 points. */
function recordOf(...all: readonly Facts[]): RoundFacts[] {
  const before = new Set<string>()
  return all.map(({ purpose = 'audit', model = 'm', told, changes }, round) => {
    const ids = Object.keys(told)
    const points = 12 - before.size
    for (const id of ids) before.add(id)
    const answers = Object.entries(told).filter((entry): entry is [string, Label] => entry[1] !== undefined)
    return {
      ...{ round, stream: `${purpose}/${round}`, strategy: 'alis-audit', design: 'successive', size: ids.length, model },
      survey: { points, mass: points, smallestMass: 1, controls: [] } as unknown as RoundFacts['survey'],
      draws: ids.map((id, k) => ({ id, order: k + 1, probability: 0.1, mass: 1, remaining: 1, scores: [] })),
      ...(purpose === 'audit' && { rules }),
      ...{ answers: new Map(answers), revisions: [], isClosed: true },
      ...changes,
    }
  })
}

const open = { isClosed: false }

describe('the rounds of an audit', () => {
  it('are those that measured its model by rules, from the first of them on', () => {
    const record = recordOf(
      { purpose: 'learn', told: { a: 'no' } },
      { told: { b: 'no' }, model: 'other' },
      { told: { c: 'no' } },
      { purpose: 'given', told: { d: 'no' } },
      { told: { e: 'no' } },
      { told: { f: 'no' }, changes: { rules: undefined as unknown as object } }, // of an older project
    )
    const { own, others, start } = auditRounds(record, 'm')
    expect([own.map(({ round }) => round), others.map(({ round }) => round), start]).toEqual([[2, 4], [0, 1, 3, 5], 2])
    expect(auditRounds(record, 'new')).toMatchObject({ own: [], start: 6 })
  })

  it('count a point that will not be asked any more as "cannot tell", and wait for others', () => {
    const [round, waiting] = recordOf({ told: { a: 'yes', b: undefined } }, { told: { c: 'no', d: undefined }, changes: open })
    expect([...answersIn(round!)]).toEqual([
      ['a', 'yes'],
      ['b', null],
    ])
    expect([...answersIn(waiting!)]).toEqual([['c', 'no']])
  })

  it('are told what others have said between them, each point once', () => {
    const others = recordOf(
      { told: { a: 'no' } },
      { told: { b: 'no', c: undefined }, changes: open },
      { told: { b: 'yes' } },
      { told: { d: 'no' } },
    )
    expect(givenIn(others, 1, 3)).toEqual([
      ['b', 'yes'],
      ['c', null],
    ])
    expect(givenIn(others, 0, 1)).toEqual([['a', 'no']])
  })
})

describe('a certificate has', () => {
  const revision = (id: string) => ({ id, from: 'no', to: 'yes', opened: 3 })
  const facts = recordOf(
    { purpose: 'learn', told: { a: 'no' }, changes: { revisions: [revision('a')] } },
    { told: { b: 'yes', c: null }, changes: { revisions: [revision('b')] } },
    { purpose: 'given', told: { d: 'no' }, changes: { revisions: [revision('d')] } },
    { told: { e: 'no', f: undefined } },
    { told: { g: 'no', h: undefined, i: 'yes' }, changes: { ...open, revisions: [revision('i')] } },
  )
  const idsOf = (answers?: number) => {
    const { rounds } = certifiedRounds({ model: 'm' }, facts, answers)
    return rounds.map(({ draws }) => draws.map(({ id, answer }) => `${id} ${answer}`))
  }

  it('every draw up to the first without an answer', () => {
    expect(idsOf()).toEqual([['b yes', 'c null'], ['e no', 'f null'], ['g no']])
  })

  it('or so many of them', () => {
    expect(idsOf(3)).toEqual([['b yes', 'c null'], ['e no']])
    expect(idsOf(2)).toEqual([['b yes', 'c null'], []]) // what was drawn next was on record
    expect(idsOf(0)).toEqual([[]])
  })

  it('what was given before each round, and revisions of the points that it rests on', () => {
    const { rounds, revisions, after } = certifiedRounds({ model: 'm' }, facts)
    expect(rounds.map(({ round, given }) => [round, given])).toEqual([
      [1, []],
      [3, [{ id: 'd', answer: 'no' }]],
      [4, []],
    ])
    expect(rounds[0]).toEqual({
      ...{ round: 1, stream: 'audit/1', strategy: 'alis-audit', size: 2, rules, given: [] },
      draws: [
        { id: 'b', order: 1, probability: 0.1, answer: 'yes' },
        { id: 'c', order: 2, probability: 0.1, answer: null },
      ],
    })
    expect([after, revisions.map(({ id }) => id)]).toEqual([1, ['b', 'd']])
  })

  it('those of the learning as well, where it rests on that', () => {
    const learned = facts.with(1, { ...facts[1]!, rules: { ...rules, learned: { calibrating: 1 } } })
    expect(certifiedRounds({ model: 'm' }, learned).revisions.map(({ id }) => id)).toEqual(['a', 'b', 'd'])
    expect(certifiedRounds({ model: 'm' }, []).rounds).toEqual([])
  })
})

describe('the points that an audit is about', () => {
  const ids = Array.from({ length: 12 }, (_, i) => `p${i}`)
  const pool = () => testPool(ids.map((_, i) => ({ predicted: i % 2, chance: 0.1, truth: 0 }))).subject()
  const source = (rounds: readonly RoundFacts[]) => ({ rounds: async () => rounds, model: async () => undefined })
  const own = { model: 'predictions' }
  const learning = (p: string): Facts => ({ purpose: 'learn', told: { [p]: 'no' } })

  it('are those that nothing was known of when it began', async () => {
    const record = recordOf(
      learning('p0'),
      { ...own, told: { p1: 'no' } },
      { purpose: 'given', told: { p2: 'no' } },
      learning('p3'),
    )
    const subject = pool()
    const strata = await strataAsked(subject, source(record))
    expect(strata.points).toBe(11)
    expect((await subject.pool.counts()).counts.reduce((a, b) => a + b, 0)).toBe(8) // four are taken
    expect((await strataAsked(pool(), source([]))).points).toBe(12)
  })

  it('are not those drawn before it, though they be drawn again', async () => {
    const record = recordOf(learning('p0'), { ...own, told: { p1: 'no' } }, learning('p0'))
    expect((await strataAsked(pool(), source(record))).points).toBe(11)
  })

  it('are of the pool as every round had it', async () => {
    const record = recordOf({ ...own, told: { p0: 'no' } })
    const smaller = record.map((round) => ({ ...round, survey: { ...round.survey, points: 9 } }))
    await expect(strataAsked(pool(), source(smaller))).rejects.toThrow(
      'audit: the pool of 9 points that round 0 was drawn from is required, got one of 12',
    )
    const grown = (poolSize?: number) => record.map((round) => ({ ...round, rules: { ...rules, ...(poolSize && { poolSize }) } }))
    const subject: AuditSubject = { ...pool(), frame: { ...testFrame, pools: [9, 12] } }
    await expect(strataAsked(subject, source(grown(9)))).rejects.toThrow('audit: the pool of 12 points that round 0')
    await expect(strataAsked(subject, source(grown()))).rejects.toThrow('got one of 9, 12') // it names none: the first
    expect((await strataAsked({ ...pool(), frame: { ...testFrame, pools: [9, 12] } }, source(grown(12)))).points).toBe(12)
  })

  it('may have learning behind them: counted when the audit begins, and read off its record from then on', async () => {
    const looks: LearningRecord[] = []
    const learned = (record: LearningRecord) => {
      looks.push(record)
      return Promise.resolve({ points: 1 } as unknown as NonNullable<Awaited<ReturnType<NonNullable<AuditSubject['learned']>>>>)
    }
    const known: LearnedRules = { calibrating: 1, evidence: { keptBack: 0.5, poolSize: 7, rounds: [] } }
    const before = recordOf(learning('p0'))
    expect((await strataAsked({ ...pool(), learned }, source(before))).learned).toEqual({ points: 1 })
    const begun = (more: object) =>
      recordOf(learning('p0'), { ...own, told: { p1: 'no' }, changes: { rules: { ...rules, ...more } } })
    expect((await strataAsked({ ...pool(), learned }, source(begun({ learned: known })))).learned).toEqual({ points: 1 })
    expect('learned' in (await strataAsked({ ...pool(), learned }, source(begun({}))))).toBe(false)
    expect(looks.map(({ rounds, poolSize, known: from }) => [rounds.length, poolSize, from])).toEqual([
      [1, 12, undefined],
      [1, 7, known],
    ])
  })
})
