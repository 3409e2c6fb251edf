import { describe, expect, it } from 'vitest'
import type { PredictionReading, Predictions } from './predictions.ts'

/** Rows that every reader of predictions must read alike. An empty text is an empty cell. */
export const contractRows = [
  { id: 'one', text: 'a cat', label: 'cat', old: 'dog', p: 0.9, cat: 0.9, dog: 0.1, big: 0.5, y: 'cat', note: 'x' },
  { id: 'two "2"', text: "a dog's", label: 'dog', old: 'dog', p: 0.6, cat: 0.4, dog: 0.6, big: 90, y: 'cow', note: '' },
  { id: 'trois é', text: 'a hen', label: 'cat', old: 'cat', p: 1, cat: 1, dog: 0, big: 0.25, y: '', note: 'z' },
]
const ids = contractRows.map(({ id }) => id)

const columns = { id: 'id', prediction: 'label', confidence: 'p', truth: 'y', metric: 'error' } as const
const { prediction: _, confidence: __, ...bare } = columns
const probabilities = ['cat', 'dog']

/** The chance whose logit is the first score of each row, and the classes that the models predict, among cat, cow, dog. */
const scored: [string, PredictionReading, number[][]][] = [
  ['a confidence', columns, [[0.1, 0], [0.4, 2], [0.001, 0]]], // biome-ignore format: rows of a table
  ['nothing', { ...bare, prediction: 'label' }, [[0.1, 0], [0.1, 2], [0.1, 0]]], // biome-ignore format: rows of a table
  ['the likeliest of probabilities', { ...bare, probabilities, known: ['cow'] }, [[0.1, 0], [0.4, 2], [0.001, 0]]], // biome-ignore format: rows of a table
  ['the probability of what is predicted', { ...columns, prediction: 'old', probabilities }, [[0.9, 2], [0.4, 2], [0.001, 0]]], // biome-ignore format: rows of a table
  ['a class, from the confidence', { ...columns, metric: 'recall', positive: 'dog' }, [[0.05, 0], [0.6, 2], [0.001, 0]]], // biome-ignore format: rows of a table
  ['a class, from its column', { ...columns, metric: 'recall', positive: 'dog', probabilities }, [[0.1, 0], [0.6, 2], [0.001, 0]]], // biome-ignore format: rows of a table
  ['a class without a column', { ...columns, metric: 'recall', positive: 'cow', probabilities }, [[0.1, 0], [0.1, 2], [0.1, 0]]], // biome-ignore format: rows of a table
  ['two models', { ...columns, metric: 'difference', against: 'old' }, [[0.1, 0, 2], [0.4, 2, 2], [0.001, 0, 0]]], // biome-ignore format: rows of a table
]

/** `read`: the rows above. */
export function describePredictions(name: string, read: (reading: PredictionReading) => Promise<Predictions>): void {
  describe(`predictions ${name}`, () => {
    it.each(scored)('scores points by %s', async (_, reading, expected) => {
      const { engine, model, classes } = await read(reading)
      expect(classes).toEqual(['cat', 'cow', 'dog'])
      expect(model.columns).toBe(expected[0]!.length)
      const features = await engine.features(ids)
      for (const [row, [chance, ...places]] of expected.entries()) {
        const score = (k: number) =>
          features.dot(
            row,
            Float64Array.from({ length: model.columns }, (_, j) => (j === k ? 1 : 0)),
          )
        expect(score(0)).toBeCloseTo(Math.log(chance! / (1 - chance!)), 5)
        expect(places.map((_, k) => score(k + 1))).toEqual(places)
      }
      await engine.close()
    })

    it('says whether anything tells sure predictions from doubtful ones', async () => {
      const readings = [columns, { ...bare, probabilities }, { ...bare, prediction: 'label' }]
      const found: boolean[] = []
      for (const reading of readings) {
        const { engine, hasConfidence } = await read(reading)
        found.push(hasConfidence)
        await engine.close()
      }
      expect(found).toEqual([true, true, false])
    })

    it('is another model once it says something else, of the same points', async () => {
      const [one, other] = [await read(columns), await read({ ...columns, prediction: 'old' })]
      expect(other.model.id).not.toBe(one.model.id)
      expect(other.poolHash).toBe(one.poolHash)
      for (const { engine } of [one, other]) await engine.close()
    })

    it('knows the answers by id, and tells an empty cell from a point that is not there', async () => {
      const { engine, answers } = await read(columns)
      const labels = await Array.fromAsync(answers!().label(ids))
      expect(labels.map(({ label }) => label)).toEqual(['cat', 'cow', null])
      await expect(Array.fromAsync(answers!().label(['four']))).rejects.toThrow('four')
      await engine.close()
      const { truth: _, ...unknown } = columns
      const without = await read(unknown)
      expect(without.answers).toBeUndefined()
      await without.engine.close()
    })

    it('shows what is neither prediction nor truth, and nothing of empty cells', async () => {
      const { engine } = await read({ ...columns, against: 'old', probabilities })
      expect(await engine.contents(['trois é', 'two "2"'])).toEqual([
        { id: 'trois é', fields: { id: 'trois é', text: 'a hen', big: '0.25', note: 'z' } },
        { id: 'two "2"', fields: { id: 'two "2"', text: "a dog's", big: '90' } },
      ])
      await engine.close()
    })

    it.each<[string, object, RegExp]>([
      ['a prediction that is missing', { prediction: 'note' }, /note: every row needs a prediction, got none/],
      ['another model that says nothing', { against: 'note' }, /note: every row needs a prediction, got none/],
      ['a percentage', { confidence: 'big' }, /a number in \[0, 1\] is required, got 90/],
      ['a prediction without a probability', { prediction: 'text', probabilities }, /text: one of cat, dog is required, got a /],
      ['a column that is not there', { prediction: 'lable' }, /lable/],
      ['ids that repeat', { id: 'label' }, /ids must be unique/],
      ['an id that is missing', { id: 'note' }, /every (row|point) needs an id/],
    ])('refuses %s', async (_, change, message) => {
      await expect(read({ ...columns, ...change })).rejects.toThrow(message)
    })

    it('refuses to read nothing', async () => {
      await expect(read(bare)).rejects.toThrow('prediction: a column is required, got none')
    })
  })
}
