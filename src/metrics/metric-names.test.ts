import fc from 'fast-check'
import { expect, it } from 'vitest'
import { metricNames, metrics } from './catalogue.ts'
import { claimAround, metricLabel, unitOf } from './metric-labels.ts'
import { metricText, parseMetric } from './metric-names.ts'

const classes = ['ham', 'spam', 'a', 'a:b', 'b:c', 'c', '10:30', '']

it.each([
  ['error', { metric: 'error' }],
  ['recall', { metric: 'recall' }],
  ['recall:spam', { metric: 'recall', positive: 'spam' }],
  ['f1:10:30', { metric: 'f1', positive: '10:30' }],
  ['recall:', { metric: 'recall', positive: '' }],
  ['confusion', { metric: 'confusion' }],
  ['confusion:spam:ham', { metric: 'confusion', positive: 'spam', actual: 'ham' }],
  ['confusion:10:30:ham', { metric: 'confusion', positive: '10:30', actual: 'ham' }],
  ['confusion:ham:10:30', { metric: 'confusion', positive: 'ham', actual: '10:30' }],
  ['confusion:a:b:c', { metric: 'confusion', positive: 'a:b', actual: 'c' }],
])('%s is read with its classes', (text, named) => {
  expect(parseMetric(text, classes)).toEqual(named)
  expect(metricText(parseMetric(text, classes))).toBe(text)
})

it.each([
  ['recal', 'metric: one of error, accuracy, balanced-accuracy, .* is required, got recal', 'Did you mean "recall"?'],
  ['', 'metric: one of .* is required, got nothing', undefined],
  [':spam', 'metric: one of .* is required, got nothing', undefined],
  ['error:spam', 'metric: error without a class is required, got error:spam', undefined],
  ['difference:old', 'metric: difference without a class is required, got difference:old', undefined],
  ['recall:spm', 'metric: one of ham, spam is required after recall:, got spm', 'Did you mean "spam"?'],
  ['recall:', 'metric: one of ham, spam is required after recall:, got nothing', undefined],
  ['confusion:spam', 'metric: two of ham, spam are required after confusion:, got spam', expect.stringContaining('comes first')],
  ['confusion:spam:x', 'metric: two of ham, spam are required after confusion:, got spam:x', expect.anything()],
  ['toString', 'metric: one of .* is required, got toString', undefined],
])('%s is refused, with the choices', (text, message, hint) => {
  const refused = expect.objectContaining({ message: expect.stringMatching(`^${message}$`), hint })
  expect(() => parseMetric(text, ['ham', 'spam'])).toThrow(refused)
})

it('what is written is read as what it was', () => {
  const name = fc.constantFrom('metric', 'class', 'a:b', ':', 'é', 'x y')
  fc.assert(
    fc.property(fc.constantFrom(...metricNames), name, name, (metric, positive, actual) => {
      const { needs } = metrics[metric]
      const named = {
        metric,
        ...((needs === 'class' || needs === 'two classes') && { positive }),
        ...(needs === 'two classes' && { actual }),
      }
      expect(parseMetric(metricText(named), [positive, actual])).toEqual(named)
    }),
  )
})

it.each([
  [{ metric: 'error' }, 'error'],
  [{ metric: 'recall', positive: 'spam' }, 'recall of spam'],
  [{ metric: 'f1', positive: 'spam' }, 'F1 of spam'],
  [{ metric: 'f1' }, 'F1'],
  [{ metric: 'tnr', positive: 'pass' }, 'TNR of pass'],
  [{ metric: 'macro-f1' }, 'macro-F1'],
  [{ metric: 'confusion', positive: 'spam', actual: 'ham' }, 'predicted spam, was ham'],
  [{ metric: 'error', slice: { column: 'region', value: 'north' } }, 'error where region = north'],
  [{ metric: 'error', poolSize: 5000 }, 'error in the pool of 5,000 points'],
  [
    { metric: 'error', poolSize: 500, slice: { column: 'region', value: 'north' } },
    'error where region = north in the pool of 500 points',
  ],
  [{ metric: 'error', against: 'old' }, 'error minus that of old'],
  [{ metric: 'difference', against: 'old' }, 'error minus that of old'],
  [{ metric: 'difference' }, 'error minus that of the others'],
  [
    { metric: 'recall', positive: 'spam', against: 'old', slice: { column: 'region', value: 'north' } },
    'recall of spam minus that of old where region = north',
  ],
] as const)('%o is called %s', (asked, label) => {
  expect(metricLabel(asked)).toBe(label)
})

const said = (asked: Parameters<typeof claimAround>[0]) => claimAround(asked, '1,000').join('between … and …')

it('a claim says where, and minus what', () => {
  const slice = { column: 'region', value: 'north' }
  expect(said({ metric: 'error' })).toBe('between … and … of the 1,000 predictions are wrong')
  expect(said({ metric: 'error', slice })).toBe('where region = north, between … and … of the 1,000 predictions are wrong')
  expect(said({ metric: 'error', slice, poolSize: 5000 })).toBe(
    'in the pool of 5,000 points, where region = north, between … and … of the 1,000 predictions are wrong',
  )
  expect(said({ metric: 'difference', against: 'old' })).toBe('the error of the predictions minus that of old is between … and …')
  expect(said({ metric: 'recall', positive: 'spam', against: 'old', slice })).toBe(
    'where region = north, the recall of the predictions for spam minus that of old is between … and …',
  )
  expect(said({ metric: 'confusion', positive: 'spam', actual: 'ham' })).toBe(
    'between … and … of the 1,000 points are predicted spam and are ham',
  )
})

it('a difference is in percentage points, whatever it is of', () => {
  expect(unitOf({ metric: 'recall' })).toBe('share')
  expect(unitOf({ metric: 'recall', against: 'old' })).toBe('points')
  expect(unitOf({ metric: 'difference' })).toBe('points')
  expect([unitOf({ metric: 'kappa' }), unitOf({ metric: 'mean' })]).toEqual(['number', 'number'])
})
