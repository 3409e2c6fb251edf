import { describe, expect, it } from 'vitest'
import { testFrame } from '../../test/questions/test-pool.ts'
import type { AskedAnswer } from './ask.ts'
import type { CertifiedRound } from './certificate.ts'
import { goalOnRecord, questionsAsked, raceOnRecord, recordOf } from './certified-record.ts'
import type { Strata } from './frame.ts'
import type { BestModel } from './race.ts'
import type { AuditRules, Goal } from './record.ts'
import { type QuestionSpec, question } from './spec.ts'
import type { AuditSubject } from './subject.ts'

const [error, recall, kappa] = [question('error'), question('recall', { positive: 'yes' }), question('kappa')]
const rules = (questions: readonly QuestionSpec[], more: Partial<AuditRules> = {}) =>
  ({ goal: {}, questions: questions.map((each) => ({ question: each, isOpen: true })), ...more }) as unknown as AuditRules
const draws = (count: number) =>
  new Array<CertifiedRound['draws'][0]>(count).fill({ id: 'p', order: 1, probability: 1, answer: 'yes' })
const round = (own: AuditRules, drawn: number, size = drawn) =>
  ({ rules: own, draws: draws(drawn), size }) as unknown as CertifiedRound
const race = { within: 0.1, level: 0.9 }

it('every question that was asked is on record once, those of the last round first', () => {
  const rounds = [{ rules: rules([error, kappa]) }, { rules: rules([recall, error]) }]
  expect(questionsAsked(testFrame, rounds)).toEqual([recall, error, kappa])
  expect(questionsAsked(testFrame, [])).toEqual([])
})

it('the race on record is the last one', () => {
  expect(raceOnRecord([{ rules: rules([]) }])).toBeUndefined()
  const rounds = [rules([], { race: { within: 0, level: 0.5 } }), rules([], { race }), rules([error])]
  expect(raceOnRecord(rounds.map((own) => ({ rules: own })))).toEqual(race)
})

describe('the goal on record', () => {
  const answer = (spec: QuestionSpec, width: number) =>
    ({ question: spec, state: 'defined', value: 0.5, low: 0.5 - width / 2, high: 0.5 + width / 2 }) as unknown as AskedAnswer
  const goal: Goal = { tolerance: 0.1 }
  const standing = (own: AuditRules, questions: readonly AskedAnswer[], drawn = 20, best?: BestModel) =>
    goalOnRecord(testFrame, { rounds: [round(rules([kappa]), 30), round(own, drawn, 20)], questions, ...(best && { best }) })

  it('is reached where all questions of the last draws are narrow enough, whatever was asked besides', () => {
    const both = rules([error, recall], { goal })
    expect(standing(both, [answer(error, 0.2), answer(recall, 0.1), answer(kappa, 0.9)])).toEqual({ goal, reached: true })
    expect(standing(both, [answer(error, 0.2), answer(recall, 0.3)])).toEqual({ goal, reached: false })
  })

  it('was the budget that was spent, where people stopped before', () => {
    expect(standing(rules([error], { goal }), [answer(error, 0.3)], 12)).toEqual({
      goal: { tolerance: 0.1, budget: 42 },
      reached: false,
    })
    expect(standing(rules([error], { goal }), [answer(error, 0.2)], 12)).toEqual({ goal, reached: true })
  })

  it('of a race is reached with a model that is named', () => {
    const own = rules([error], { race, goal: {} })
    const best = { model: 'a' } as BestModel
    expect(standing(own, [answer(error, 0.9)], 20, best).reached).toBe(true)
    expect(standing(own, [answer(error, 0)], 20, { ...best, model: null }).reached).toBe(false)
    expect(standing(own, [answer(error, 0)]).reached).toBe(false)
  })
})

it('a record has the strata of the points of a certificate, and asks for none where there are no points', async () => {
  const asked: string[][] = []
  const pool = { codesOf: async (ids: string[]) => asked.push(ids) && Float64Array.from(ids, (id) => Number(id)) }
  const rounds = [
    { rules: rules([error]), given: [], draws: [{ id: '7', order: 1, probability: 1, answer: 'no' }] },
    { rules: rules([kappa]), given: [{ id: '3', answer: null }], draws: [] },
  ]
  const strata = {} as Strata
  expect(await recordOf({ pool } as unknown as AuditSubject, strata, rounds)).toEqual({
    strata,
    rounds: [
      { rules: rules([error]), given: [], draws: [{ code: 7, answer: 'no' }] },
      { rules: rules([kappa]), given: [{ code: 3, answer: null }], draws: [] },
    ],
  })
  expect(asked).toEqual([['7'], ['3']])
})
