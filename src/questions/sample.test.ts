import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { type Sample, sample } from './sample.ts'
import { question } from './spec.ts'

const classes = ['ham', 'spam']
const times = <T>(count: number, answer: T) => new Array<T>(count).fill(answer)
const spam = question('prevalence', { positive: 'spam' })
const widthOf = (record: Sample) => {
  const { low, high } = ask(sample(record), spam)
  return high! - low!
}

describe('a plain sample', () => {
  const answers = Array.from({ length: 100 }, (_, k) => (k % 5 === 0 ? 'spam' : 'ham'))

  it('says what its answers do, of the points that it was drawn from', () => {
    const { value, low, high, state, points, plan } = ask(sample({ classes, of: 2000, answers }), spam)
    expect([state, points, plan]).toEqual(['defined', 2000, { kind: 'none' }])
    expect(value).toBeCloseTo(0.2, 1)
    expect(low! < 0.2 && 0.2 < high!).toBe(true)
    expect(ask(sample({ classes, of: 100, answers }), spam)).toMatchObject({ state: 'known', value: 0.2 })
  })

  it('says more if its size was planned', () => {
    expect(ask(sample({ classes, of: 2000, answers, isPlanned: true }), spam).plan).toEqual({ kind: 'budget', answers: 100 })
    expect(widthOf({ classes, of: 2000, answers, isPlanned: true })).toBeLessThan(widthOf({ classes, of: 2000, answers }))
  })

  it('counts "cannot tell" both ways', () => {
    const { low, high } = ask(sample({ classes, of: 4, answers: ['spam', 'ham', null, 'ham'] }), spam)
    expect([low, high]).toEqual([expect.closeTo(1 / 4, 12), expect.closeTo(2 / 4, 12)])
  })

  it('may know what was predicted, by class', () => {
    const told = (predicted: string, answer: string) => ({ predicted, answer })
    const record = sample({ classes, of: { spam: 3, ham: 2 }, answers: [told('spam', 'spam'), ...times(2, told('spam', 'ham'))] })
    expect(ask(record, question('precision', { positive: 'spam' }))).toMatchObject({
      state: 'known',
      value: expect.closeTo(1 / 3, 12),
    })
    expect([...record.strata.codes]).toEqual([...record.strata.codes].sort((a, b) => a - b))
    expect(record.rounds[0]!.rules).toMatchObject({ isPlain: true, mass: { kind: 'uniform' }, belief: { kind: 'plain' } })
    expect(ask(record, question('error'))).toMatchObject({ points: 5, low: expect.closeTo(2 / 5, 12) })
  })

  it('may be of grades', () => {
    const record = sample({ range: [1, 5], of: 3, answers: ['2', '4', '3'] })
    expect(ask(record, question('mean'))).toMatchObject({ state: 'known', value: 3 })
  })
})

it.each<[string, Sample, string]>([
  ['neither classes nor a range', { of: 5, answers: [] }, 'sample: two classes or more, or a range, are required, got neither'],
  ['one class', { classes: ['ham'], of: 5, answers: [] }, 'sample: two classes or more, or a range, are required, got neither'],
  ['both', { classes, range: [0, 1], of: 5, answers: [] }, 'sample: two classes or more, or a range, are required, got both'],
  ['no number of points', { classes, of: -1, answers: [] }, 'of: a whole number of points is required, got -1'],
  ['half a point', { classes, of: { ham: 1.5 }, answers: [] }, 'of: a whole number of points is required, got 1.5'],
  ['an unknown class', { classes, of: { eggs: 1 }, answers: [] }, 'predicted: one of ham, spam is required, got eggs'],
  ['no prediction', { classes, of: { ham: 1 }, answers: ['ham'] }, 'predicted: one of ham, spam is required, got none'],
])('a sample with %s is refused', (_, record, message) => {
  expect(() => sample(record)).toThrow(message)
})

it('a sample of nothing is none of an answer', () => {
  expect(ask(sample({ classes, of: 0, answers: [] }), spam).state).toBe('undefined')
})
