import { expect, it } from 'vitest'
import { metrics } from './catalogue.ts'
import { judgedMetric, judgedNames } from './judged.ts'

const places = [0, 1, 2]
const context = { positive: 1, shares: [0.2, 0.3, 0.5], range: [0, 1] as const }
const answered = places.flatMap((predicted) =>
  places.flatMap((other) => places.map((answer) => ({ known: { predicted, other }, answer }))),
)
const judge = ({ known: { predicted, other }, answer }: (typeof answered)[number]) => ({
  wrong: predicted === answer ? 0 : 1,
  otherWrong: other === answer ? 0 : 1,
  predicted: predicted === 1 ? 1 : 0,
  positive: answer === 1 ? 1 : 0,
})

it.each(judgedNames)('%s is the same by what is judged as by classes', (name) => {
  const { num, den = () => 1 } = judgedMetric(name)
  for (const point of answered) {
    const worth = metrics[name].worth(point.known, point.answer, context)
    const scale = name === 'f1' ? 2 : 1
    expect([scale * num(judge(point)), scale * den(judge(point))]).toEqual([worth.num, worth.den])
  }
})

it.each(judgedNames.filter((name) => !judgedMetric(name).den))('%s, a mean, has values between its ends', (name) => {
  const values = answered.map((point) => judgedMetric(name).num(judge(point)))
  expect([Math.min(...values), Math.max(...values)]).toEqual((judgedMetric(name).ends ?? [0, 1]).toSorted())
})

it.each(judgedNames.filter((name) => judgedMetric(name).den))('%s, a ratio, is one that limits can be computed for', (name) => {
  const { num, den } = judgedMetric(name)
  const share = den!({ predicted: 1, positive: 0, wrong: 1, otherWrong: 1 })
  for (const { predicted, positive, ...rest } of answered.map(judge)) {
    expect(num({ predicted, positive, ...rest })).toBe(predicted * positive)
    expect(den!({ predicted, positive, ...rest })).toBe(share * predicted + (1 - share) * positive)
  }
})
