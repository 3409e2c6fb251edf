import { describe, expect, it } from 'vitest'
import { testFrame, testStrata } from '../../test/questions/test-pool.ts'
import { type AuditRules, isAbout, type QuestionReader, RecordReader, readRecord, rulesIn } from './record.ts'
import { question } from './spec.ts'

const rules: AuditRules = {
  ...{ belief: { kind: 'plain', wrong: [0.1, 0.2] }, mass: { kind: 'uniform' }, isPlain: true, goal: {} },
  questions: [{ question: question('error'), isOpen: true }],
}
const grown = { ...testFrame, pools: [5, 9] }
const places = [
  { predicted: [0, 0], slices: [0], count: 3 },
  { predicted: [1, 0], slices: [0], count: 2 },
]
const strata = testStrata(testFrame, places)
const [no, yes] = [...strata.codes] as [number, number]

describe('the rules of a round', () => {
  it('are about the pool that they name, or the first one where points were added later', () => {
    expect(rulesIn(testFrame, rules)).toBe(rules)
    const named = (poolSize?: number) => rulesIn(grown, { ...rules, ...(poolSize && { poolSize }) })
    for (const [own, size] of [[named(), 5] as const, [named(9), 9] as const])
      expect(own).toEqual({
        ...rules,
        poolSize: size,
        questions: [{ question: question('error', { poolSize: size }), isOpen: true }],
      })
    const asked = { ...rules, questions: [{ question: question('error', { poolSize: 5 }), isOpen: false }], poolSize: 9 }
    expect(rulesIn(grown, asked)).toEqual(asked)
  })

  it('say whether all that a question is about could be drawn', () => {
    const about = (asked: number, drawn: number) =>
      isAbout(grown, { ...rules, poolSize: drawn }, question('error', { poolSize: asked }))
    expect([about(5, 5), about(5, 9), about(9, 9), about(9, 5)]).toEqual([true, true, true, false])
    expect(isAbout(testFrame, rules, question('error'))).toBe(true)
  })
})

/** Notes what it is told. */
function noting(): QuestionReader & { readonly told: unknown[] } {
  const told: unknown[] = []
  return {
    told,
    give: (stratum, answer) => void told.push(['give', stratum, answer]),
    begin: ({ left, allMass, drawn }) => void told.push(['begin', [...left], allMass, drawn]),
    draw: (stratum, answer) => void told.push(['draw', stratum, answer]),
  }
}

describe('a record', () => {
  const rounds = [
    { rules, given: [], draws: [{ code: yes, answer: 'no' }] },
    { rules, given: [{ code: no, answer: null }], draws: [{ code: no, answer: 'yes' }] },
  ]

  it('is read round by round, for everybody who follows it', () => {
    const [one, other] = [noting(), noting()]
    const reader = readRecord({ strata, rounds }, [one, other])
    expect(one.told).toEqual([
      ['begin', [3, 2], 5, 0],
      ['draw', 1, 'no'],
      ['give', 0, null],
      ['begin', [2, 1], 3, 1],
      ['draw', 0, 'yes'],
    ])
    expect(other.told).toEqual(one.told)
    expect([[...reader.left], reader.drawn, reader.rounds]).toEqual([[1, 1], 2, 2])
    expect(reader.answered).toEqual([
      { stratum: 1, answer: 'no' },
      { stratum: 0, answer: null },
      { stratum: 0, answer: 'yes' },
    ])
    expect([...strata.counts]).toEqual([3, 2]) // the pool stays as it was
  })

  it('ends at the first draw without an answer', () => {
    const open = {
      rules,
      given: [],
      draws: [
        { code: yes, answer: 'no' },
        { code: no, answer: undefined },
        { code: no, answer: 'no' },
      ],
    }
    const reader = readRecord({ strata, rounds: [open, rounds[1]!] }, [])
    expect([reader.drawn, reader.rounds]).toEqual([1, 1])
  })

  it('may be followed from some point on', () => {
    const reader = new RecordReader(strata)
    reader.begin(rules)
    reader.draw(yes, 'no')
    const late = noting()
    reader.follow([late])
    reader.draw(no, null)
    expect(late.told).toEqual([['draw', 0, null]])
  })

  it('has no more points of a stratum than there are', () => {
    const reader = new RecordReader(strata)
    reader.give([
      { code: yes, answer: 'yes' },
      { code: yes, answer: 'yes' },
    ])
    expect(() => reader.draw(yes, 'yes')).toThrow(
      `record: a point that is left is required, got one more of stratum ${yes} than there are`,
    )
    expect(() => reader.draw(no + 1e6, 'yes')).toThrow('record: a point that is left is required')
  })

  it('has the totals that its rules make, to the last bits', () => {
    const totals = (num: number) => ({
      isCovered: true,
      mass: 5,
      num,
      den: 5,
      numNum: 0,
      numDen: 0,
      denDen: 0,
      down: [0],
      up: [0],
    })
    const kept = (changes: object) => {
      const reader = new RecordReader(strata)
      const { isCovered, ...own } = totals(3 * 0.1 + 2 * 0.2)
      const variance = 3 * 0.09 + 2 * 0.16
      const told = { isCovered, ...own, numNum: variance, down: new Array(9).fill(0.2), up: new Array(9).fill(0.9), ...changes }
      return () => reader.begin({ ...rules, questions: [{ question: question('error'), isOpen: true, totals: [told] }] })
    }
    expect(kept({})).not.toThrow()
    expect(kept({ num: (3 * 0.1 + 2 * 0.2) * (1 + 1e-10) })).not.toThrow()
    expect(kept({ num: 0.7 * (1 + 1e-8) })).toThrow(/^record: num of a question must be 0\.7\d* as its rules have it, got 0\.7/)
    expect(kept({ up: [0.9] })).toThrow('record: up.1 of a question must be 0.9 as its rules have it, got NaN')
    expect(kept({ denDen: 1e-13, numDen: -2e-13 })).not.toThrow() // sums that cancel, on a machine with other logarithms
    expect(kept({ denDen: 1e-6 })).toThrow('record: denDen of a question must be')
    expect(kept({ isCovered: false })).toThrow('record: isCovered of a question must be 1 as its rules have it, got 0')
  })

  it('counts draws by the pool that they were made from, and draws nothing that was not there', () => {
    const pool = testStrata(grown, [
      { predicted: [0, 0], slices: [0], count: 5 },
      { predicted: [1, 0], slices: [0], count: 4, arrival: 1 },
    ])
    const reader = new RecordReader(pool)
    const early = reader.begin(rules)
    expect([[...early.masses], early.allMass, early.drawn]).toEqual([[1, 0], 5, 0])
    reader.draw(pool.codes[0]!, 'no')
    const late = reader.begin({ ...rules, poolSize: 9 })
    expect([[...late.masses], late.allMass, late.drawn]).toEqual([[1, 1], 8, 0])
    reader.draw(pool.codes[1]!, 'no')
    reader.draw(pool.codes[0]!, 'no')
    expect([reader.drawnIn(5), reader.drawnIn(9), reader.drawnIn(7), reader.drawn]).toEqual([1, 2, 0, 3])
    expect(reader.tables(question('error'))).toBe(reader.tables(question('error', { poolSize: 9 })))
  })
})
