import { describe, expect, it } from 'vitest'
import { uniform } from '../../core/randomness.ts'
import { doubtPlace, gradePlace, sharePlace, stratumCodes } from '../../core/strata.ts'
import { axesOf, type Frame } from '../../questions/frame.ts'
import type { PredictionReading, Predictions } from './predictions.ts'
import { type ContractRow, contractRows } from './rows.contract.ts'

const ids = contractRows.map(({ id }) => id)
const columns = { id: 'id', prediction: 'label', confidence: 'p', truth: 'y' } as const
const { prediction: _, confidence: __, ...bare } = columns
const graded = { id: 'id', score: 'grade', range: [1, 5], truth: 'mark' } as const
const probabilities = ['dog', 'cat', 'cow'] as const
const classes = ['cat', 'cow', 'dog']

/** What is read, and the names of classes and models that it is of. */
const readings: [string, PredictionReading, Omit<Frame, 'slices'>][] = [
  ['a confidence', columns, { classes, models: ['label'] }],
  ['nothing but a prediction', { ...bare, prediction: 'label' }, { classes, models: ['label'] }],
  ['the likeliest of probabilities', { ...bare, probabilities }, { classes, models: ['prediction'] }],
  ['the likeliest of some', { ...bare, probabilities: ['cat', 'dog'] }, { classes, models: ['prediction'] }],
  ['the likeliest of two', { id: 'id', probabilities: ['cat', 'dog'] }, { classes: ['cat', 'dog'], models: ['prediction'] }],
  ['the probability of what is predicted', { ...columns, probabilities }, { classes, models: ['label'] }],
  ['two models', { ...columns, against: 'old', known: ['ox'] }, { classes: [...classes, 'ox'], models: ['label', 'old'] }],
  ['the likeliest and another', { ...bare, probabilities, against: 'old' }, { classes, models: ['prediction', 'old'] }],
  ['several models', { ...bare, models: ['old', 'label', 'third'] }, { classes, models: ['old', 'label', 'third'] }],
  ['a grade', graded, { classes: [], models: [], range: [1, 5] }],
  ['a grade and slices', { ...graded, by: ['shop'] }, { classes: [], models: [], range: [1, 5] }],
  ['slices', { ...columns, probabilities, by: ['lang', 'shop', 'same'] }, { classes, models: ['label'] }],
  [
    'classes in an order',
    { ...columns, classes: ['ox', ...probabilities] },
    { classes: ['ox', ...probabilities], models: ['label'] },
  ],
]

/** `read`: the rows of the contract. */
export function describePredictions(name: string, read: (reading: PredictionReading) => Promise<Predictions>): void {
  const reads = async <T>(reading: PredictionReading, use: (predictions: Predictions) => Promise<T>): Promise<T> => {
    const predictions = await read(reading)
    return use(predictions).finally(predictions.close)
  }

  describe(`predictions ${name}`, () => {
    it.each(readings)('puts points into strata by %s', async (_, reading, named) => {
      await reads(reading, async ({ frame, pool }) => {
        const slices = (reading.by ?? []).map((column) => ({ column, values: slicesOf(column as 'lang') }))
        expect(frame).toEqual({ ...named, slices })
        const expected = contractRows.map((row) => codeOf(row, reading, frame))
        expect(await pool.codesOf(ids)).toEqual(Float64Array.from(expected))
        const { codes, counts } = await pool.counts()
        expect([...codes]).toEqual([...new Set(expected)].sort((a, b) => a - b))
        expect([...counts]).toEqual([...codes].map((code) => expected.filter((own) => own === code).length))
        expect(pool.size).toBe(ids.length)
      })
    })

    it('draws what its strata say, and takes it', async () => {
      await reads({ ...columns, by: ['lang'] }, async ({ pool }) => {
        const { codes } = await pool.counts()
        const draws = await pool.draw({ codes, masses: codes.map(() => 1), size: 20, stream: { seed: 4, name: 'a' } })
        const keyed = ids.toSorted((a, b) => uniform(4, 'a', b) - uniform(4, 'a', a))
        expect(draws.map(({ id }) => id)).toEqual(keyed.slice(0, 20))
        await pool.take(draws.map(({ id }) => id))
        expect((await pool.counts()).counts.reduce((sum, count) => sum + count)).toBe(ids.length - 20)
      })
    })

    it('says whether anything tells sure predictions from doubtful ones', async () => {
      const models = ['label', 'old']
      for (const reading of [columns, { ...bare, probabilities }, { ...bare, models }])
        expect(await reads(reading, async ({ hasConfidence }) => hasConfidence)).toBe(true)
      for (const reading of [{ ...bare, prediction: 'label' }, graded])
        expect(await reads(reading, async ({ hasConfidence }) => hasConfidence)).toBe(false)
    })

    it('is another model once it says something else, of the same points', async () => {
      const identities = (reading: PredictionReading) => reads(reading, async ({ model, poolHash }) => ({ model, poolHash }))
      const own = await identities(columns)
      const { confidence, ...unsure } = columns
      const others: PredictionReading[] = [
        { ...columns, prediction: 'old' },
        unsure,
        { ...columns, confidence: 'cat' },
        { ...columns, probabilities },
        { ...bare, models: ['label', 'old'] },
        { ...bare, models: ['label', 'old', 'third'] },
        graded,
      ]
      const found = [own]
      for (const reading of others) found.push(await identities(reading))
      expect(new Set(found.map(({ model }) => model)).size).toBe(found.length)
      expect(new Set(found.map(({ poolHash }) => poolHash)).size).toBe(1)
    })

    it('is the same model in whichever slices, and whatever it is compared with', async () => {
      const identities = (reading: PredictionReading) => reads(reading, async ({ model, poolHash }) => ({ model, poolHash }))
      expect(await identities({ ...columns, against: 'old', by: ['lang'] })).toEqual(await identities(columns))
      expect(await identities({ ...graded, range: [0, 10] })).toEqual(await identities(graded))
    })

    it('says where it read what', async () => {
      const { truth: _, ...read } = { ...columns, probabilities, against: 'old', by: ['lang'] }
      expect(await reads({ ...read, truth: 'y', known: ['ox'] }, async (each) => each.columns)).toEqual(read)
      expect(await reads(graded, async (each) => each.columns)).toEqual({ id: 'id', score: 'grade', range: [1, 5] })
    })

    it('knows the answers by id, and tells an empty cell from a point that is not there', async () => {
      const told = async ({ answers }: Predictions) =>
        (await Array.fromAsync(answers!().label(ids.slice(0, 3)))).map(({ label }) => label)
      expect(await reads(columns, told)).toEqual(['cat', 'cow', null])
      expect(await reads(graded, told)).toEqual(['1', '4.50', null])
      await reads(columns, ({ answers }) => expect(Array.fromAsync(answers!().label(['four']))).rejects.toThrow('four'))
      const { truth: _, ...unknown } = columns
      expect(await reads(unknown, async ({ answers }) => answers)).toBeUndefined()
    })

    it('shows what is neither prediction nor truth, and nothing of empty cells', async () => {
      const seen = { text: "a dog's", big: '90', lang: 'de', same: 'x', id: 'two "2"' }
      const reading = { ...columns, against: 'old', probabilities, by: ['lang', 'shop'] }
      await reads(reading, async ({ contents }) => {
        const [two, one] = await contents(['two "2"', 'one'])
        expect(two).toEqual({ id: 'two "2"', fields: { ...seen, third: 'cow', grade: '2.5', mark: '4.50' } })
        expect(one!.fields).toMatchObject({ id: 'one', shop: "O'Neil", lang: 'en', note: 'x', rank: '1' })
      })
      const shown = await reads({ ...bare, models: ['label', 'third'] }, async ({ contents }) => (await contents(['one']))[0]!)
      expect(Object.keys(shown.fields)).not.toContain('third')
      expect(Object.keys(shown.fields)).toContain('old')
      const grades = await reads(graded, async ({ contents }) => (await contents(['one']))[0]!)
      expect(['grade', 'mark'].filter((hidden) => hidden in grades.fields)).toEqual([])
      const chosen = await reads({ ...columns, show: ['note', 'lang'] }, async ({ contents }) => (await contents(['one']))[0]!)
      expect(Object.keys(chosen.fields)).toEqual(['note', 'lang'])
    })

    it.each<[string, PredictionReading, RegExp]>([
      ['to show a prediction', { ...columns, show: ['label'] }, /show: a column that gives no answer away is required, got label/],
      ['to show nothing', { ...columns, show: ['none'] }, /show: a column of the table is required, got none/],
      ['a prediction that is missing', { ...columns, prediction: 'note' }, /note: every row needs a prediction, got none/],
      ['another model that says nothing', { ...columns, against: 'note' }, /note: every row needs a prediction, got none/],
      ['one of several that says nothing', { ...bare, models: ['label', 'note'] }, /note: every row needs a prediction, got none/],
      ['a percentage', { ...columns, confidence: 'big' }, /big: a number in \[0, 1\] is required, got 90/],
      ['a confidence that is missing', { ...columns, confidence: 'rank' }, /rank: a number in \[0, 1\] is required, got/],
      ['a prediction without a probability', { ...columns, probabilities: ['cat', 'dog'] }, /label: one of cat, dog is required, got cow/],
      ['a prediction that is none of the classes', { ...columns, classes: ['cat', 'dog'] }, /label: one of cat, dog is required, got cow/],
      ['a probability of no class', { ...columns, probabilities, classes: ['cat', 'dog'] }, /probabilities: columns named like the classes cat, dog are required, got cow/],
      ['one class alone', { id: 'id', prediction: 'same' }, /classes: two or more are required, got only "x"/],
      ['ids that repeat', { ...columns, id: 'label' }, /ids must be unique/],
      ['an id that is missing', { ...columns, id: 'note' }, /every (row|point) needs an id/],
      ['nothing', bare, /prediction: a column is required, got none/],
      ['a model against itself', { ...columns, against: 'label' }, /against: another column than that of the prediction is required, got label for both/],
      ['one of several models', { ...bare, models: ['label'] }, /models: two columns or more are required, got label/],
      ['a model twice', { ...bare, models: ['label', 'old', 'label'] }, /models: columns that differ are required, got label twice/],
      ['several models and one', { ...columns, models: ['label', 'old'] }, /models: columns of predictions and nothing else about them are required, got prediction too/],
      ['slices twice', { ...columns, by: ['lang', 'lang'] }, /by: columns that differ are required, got lang twice/],
      ['grades and predictions', { ...columns, ...graded }, /score: grades or predictions of classes are required, got prediction too/],
      ['a grade without a range', { ...bare, score: 'grade' }, /range: the least and the largest grade are required for a score, got none/],
      ['a range without a grade', { ...bare, range: [1, 5] }, /score: a column of grades is required for a range, got none/],
      ['a range the wrong way round', { ...graded, range: [5, 1] }, /range: two numbers are required, the smaller one first, got 5..1/],
      ['a grade outside of the range', { ...graded, score: 'big' }, /big: a number from 1 to 5 is required, got/],
      ['a grade that is missing', { ...graded, score: 'rank', range: [0, 500] }, /rank: every row needs a grade, got none/],
      ['answers that are no grades', { ...graded, truth: 'y' }, /y: a number from 1 to 5 is required, got "/],
    ])('refuses %s', async (_, reading, message) => {
      await expect(read(reading)).rejects.toThrow(message)
    }) // biome-ignore format: rows of a table

    it.each(['prediction', 'confidence', 'truth', 'against', 'id'])(
      'asks whether another column was meant for %s',
      async (role) => {
        await expect(read({ ...columns, [role]: 'langg' })).rejects.toMatchObject({ hint: 'Did you mean "lang"?' })
      },
    )
    it.each<PredictionReading>([
      { ...columns, by: ['langg'] },
      { ...bare, models: ['label', 'langg'] },
      { ...graded, score: 'langg' },
    ])('asks the same for %o', async (reading) => {
      await expect(read(reading)).rejects.toMatchObject({ hint: 'Did you mean "lang"?' })
    })
  })
}

/** The slices of a column by counting: as the reader should have found them. */
function slicesOf(column: 'lang' | 'shop' | 'same'): string[] {
  const counts = new Map<string, number>()
  for (const row of contractRows) counts.set(row[column], (counts.get(row[column]) ?? 0) + 1)
  const bytes = (text: string) => Buffer.from(text).toString('hex')
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (bytes(a) < bytes(b) ? -1 : 1)).map(([value]) => value)
  const own = ranked
    .slice(0, 50)
    .map((value) => (value === '' ? (ranked.slice(0, 50).includes('(empty)') ? '((empty))' : '(empty)') : value))
  return ranked.length > 50 ? [...own, own.includes('others') ? '(others)' : 'others'] : own
}

/** The code of a row, by sorting its probabilities. */
function codeOf(row: ContractRow, reading: PredictionReading, frame: Frame): number {
  const { prediction, confidence, probabilities: named = [], models, score, range = [0, 1], by = [] } = reading
  const share = (name: string) => row[name as 'cat']
  const likeliest = named.toSorted((a, b) => share(b) - share(a))
  const own = prediction === undefined ? likeliest[0] : row[prediction as 'label']
  const others = likeliest.filter((name) => name !== own)
  const rest = others.reduce((sum, name) => sum + share(name), 0)
  const isTold = others.length > 0 && frame.classes.length > 2
  const right = named.length > 0 ? share(own!) : confidence === undefined ? 0.9 : share(confidence)
  const predicted = models?.map((name) => row[name as 'label']) ?? [own, ...(reading.against ? [row.old] : [])]
  return stratumCodes(axesOf(frame)).code({
    predicted: frame.models.map((_, k) => frame.classes.indexOf(predicted[k]!)),
    doubt: doubtPlace(score === undefined ? 1 - right : 0.1),
    runnerUp: isTold ? frame.classes.indexOf(others[0]!) : frame.classes.length,
    share: isTold && rest > 0 ? sharePlace(share(others[0]!) / rest) : 0,
    grade: score === undefined ? 0 : gradePlace((row.grade - range[0]) / (range[1] - range[0])),
    slices: by.map((column, k) => placeOf(row[column as 'lang'], frame.slices[k]!.values)),
  })
}

function placeOf(value: string, names: readonly string[]): number {
  const empty = names.includes('((empty))') ? '((empty))' : '(empty)'
  const place = names.indexOf(value === '' ? empty : value)
  return place < 0 ? names.length - 1 : place
}
