import { expect, it } from 'vitest'
import { audit } from '../audit.ts'
import { identityOf, linesHash, linesOf } from '../core/hash.ts'
import { uniform } from '../core/randomness.ts'
import { doubtPlace, gradePlace, sharePlace, stratumCodes } from '../core/strata.ts'
import { columnOracle } from '../oracles/column.ts'
import { axesOf } from '../questions/frame.ts'
import { question } from '../questions/spec.ts'
import { memoryStore } from '../stores/memory.ts'
import { gradesSubject, type PredictedPoints, predictionsSubject } from './prediction-subject.ts'

const ids = ['one', 'two', 'three']
const predicted = ['cat', 'dog', 'cat']
const confidence = [0.9, 0.6, 1]
const plain = { predicted: [0], doubt: 0, runnerUp: 2, share: 0, grade: 0, slices: [] }

it('puts predictions into strata by their confidences, as 32-bit numbers', async () => {
  const { pool, frame } = predictionsSubject({ ids, predicted, confidence })
  expect(frame).toEqual({ classes: ['cat', 'dog'], models: ['prediction'], slices: [] })
  const { code } = stratumCodes(axesOf(frame))
  const expected = predicted.map((name, k) =>
    code({ ...plain, predicted: [frame.classes.indexOf(name)], doubt: doubtPlace(1 - Math.fround(confidence[k]!)) }),
  )
  expect([...(await pool.codesOf(ids))]).toEqual(expected)
  expect(pool.size).toBe(3)
})

it('knows other models, slices, classes that nobody predicts and what comes second', async () => {
  const { pool, frame } = predictionsSubject({
    ids,
    probabilities: { cat: [0.5, 0.25, 1], dog: [0.375, 0.5, 0], cow: Float32Array.of(0.125, 0.25, 0) },
    others: { old: ['dog', 'cow', 'cat'] },
    slices: { lang: ['de', null, 'de'] },
    classes: ['dog', 'cat', 'cow', 'ox'],
  })
  expect(frame).toEqual({
    classes: ['dog', 'cat', 'cow', 'ox'],
    models: ['prediction', 'old'],
    slices: [{ column: 'lang', values: ['de', '(empty)'] }],
  })
  const { code } = stratumCodes(axesOf(frame))
  expect([...(await pool.codesOf(ids))]).toEqual([
    code({ predicted: [1, 0], doubt: doubtPlace(0.5), runnerUp: 0, share: sharePlace(0.75), grade: 0, slices: [0] }),
    code({ predicted: [0, 2], doubt: doubtPlace(0.5), runnerUp: 1, share: sharePlace(0.5), grade: 0, slices: [1] }),
    code({ predicted: [1, 1], doubt: doubtPlace(0), runnerUp: 0, share: 0, grade: 0, slices: [0] }),
  ])
})

it('has grades, or none', async () => {
  const slices = { by: ['x', 'x', 'y'] }
  const { pool, frame, model } = gradesSubject({ ids, grades: [1, 4.6, 5], range: [1, 5], slices })
  expect(frame).toEqual({ classes: [], models: [], slices: [{ column: 'by', values: ['x', 'y'] }], range: [1, 5] })
  const { code } = stratumCodes(axesOf(frame))
  const at = (grade: number, slice: number) =>
    code({ predicted: [], doubt: doubtPlace(0.1), runnerUp: 0, share: 0, grade: gradePlace(grade), slices: [slice] })
  expect([...(await pool.codesOf(ids))]).toEqual([at(0, 0), at(0.9, 0), at(1, 1)])
  const unknown = gradesSubject({ ids, range: [1, 5] })
  expect(new Set(await unknown.pool.codesOf(ids)).size).toBe(1)
  expect(unknown.model).not.toBe(model)
})

it('is the same model in any order, with any slices and beside any other', async () => {
  const own = predictionsSubject({ ids, predicted, confidence }).model
  const turned = { ids: ids.toReversed(), predicted: predicted.toReversed(), confidence: confidence.toReversed() }
  expect(predictionsSubject(turned).model).toBe(own)
  const others = { old: ['dog', 'dog', 'cat'] }
  expect(predictionsSubject({ ids, predicted, confidence, others, slices: { s: ['', 'a', 'b'] } }).model).toBe(own)
  expect(predictionsSubject({ ids, predicted }).model).not.toBe(own)
  expect(predictionsSubject({ ids, predicted, confidence: [0.9, 0.6, 0.9] }).model).not.toBe(own)
  expect(own).toBe('sha256:7d7e16e9c97f7dbdc638027901a51b5442c4b87dc0fab83c3db84f21958d6f11')
})

it('hashes lines as they are written, however many at a time', () => {
  const [at, byOne] = [linesHash(), linesHash()]
  const rows = [['é', 1], ['b', null]] // biome-ignore format: rows
  at.add(rows)
  for (const row of rows) byOne.add([row])
  expect(at.digest()).toBe(byOne.digest())
  expect(linesOf(rows)).toBe('["é",1]\n["b",null]\n')
  const one = linesHash()
  one.add(['x'])
  expect(one.digest()).not.toBe(identityOf('x')) // a line ends
})

it('is audited to the truth', async () => {
  const points = Array.from({ length: 200 }, (_, i) => `p${i}`)
  const chances = points.map((id) => 0.6 * uniform(1, 'chance', id) ** 2)
  const truth = new Map(points.map((id, i) => [id, uniform(1, 'wrong', id) < chances[i]! ? 'no' : 'yes']))
  const subject = predictionsSubject({
    ids: points,
    predicted: points.map(() => 'yes'),
    confidence: chances.map((chance) => 1 - chance),
    slices: { half: points.map((_, i) => (i % 2 === 0 ? 'even' : 'odd')) },
    classes: ['no', 'yes'],
  })
  const questions = [question('error'), question('error', { slice: { column: 'half', value: 'odd' } })]
  const plan = { subject, store: memoryStore(), oracle: columnOracle(truth), questions, budget: 200, seed: 1 }
  const last = (await Array.fromAsync(audit(plan))).at(-1)!
  const errorOf = (some: readonly string[]) => some.filter((id) => truth.get(id) === 'no').length / some.length
  expect(last.questions.map(({ value }) => value)).toEqual([errorOf(points), errorOf(points.filter((_, i) => i % 2 === 1))])
})

it.each<[string, PredictedPoints, string]>([
  ['nothing', { ids }, 'predictions: classes that are predicted, or probabilities of each class, are required, got none'],
  ['no points', { ids: [], predicted: [] }, 'pool: at least one point is required, got none'],
  ['too few predictions', { ids, predicted: ['a'] }, 'prediction: a value for each of 3 points is required, got 1'],
  ['too few confidences', { ids, predicted, confidence: [1] }, 'confidence: a value for each of 3 points is required, got 1'],
  ['no probability', { ids, predicted, confidence: [1, 2, 1] }, 'confidence: a number in [0, 1] is required, got 2 in row 2'],
  ['a missing prediction', { ids, predicted: ['a', 'b', ''] }, 'prediction: every row needs a prediction, got none in row 3'],
  ['ids twice', { ids: ['a', 'b', 'a'], predicted }, 'predictions: ids must be unique, got "a" in rows 1 and 3'],
  ['one class', { ids, predicted: ['a', 'a', 'a'] }, 'classes: two or more are required, got only "a"'],
  ['a class too many', { ids, predicted, classes: ['cat', 'cow'] }, 'prediction: one of cat, cow is required, got dog in row 2'],
])('refuses %s', (_, points, message) => {
  expect(() => predictionsSubject(points)).toThrow(message)
})

it('refuses grades outside of a range, and ranges that are none', () => {
  expect(() => gradesSubject({ ids, range: [1, 5], grades: [1, 7, 2] })).toThrow(
    'a number from 1 to 5 is required, got 7 in row 2',
  )
  expect(() => gradesSubject({ ids, range: [5, 1] })).toThrow('range: two numbers are required, the smaller one first, got 5..1')
  expect(gradesSubject({ ids, range: [0.1, 0.7], grades: [0.1, 0.4, 0.7] }).frame.range).toEqual([0.1, 0.7]) // 0.7 is less in 32 bits
})
