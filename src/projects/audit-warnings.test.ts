import { expect, it } from 'vitest'
import type { AuditWishes } from './audit-plan.ts'
import { auditWarnings } from './audit-warnings.ts'

const wishes: AuditWishes = { prediction: 'label', truth: 'y', level: 0.95, batch: 50 }
const frame = { classes: ['cat', 'dog'], models: ['label'], slices: [] }
const values = { predicted: ['cat', 'dog'], known: ['dog', 'owl'] }

it('nothing is said of an audit like any other', () => {
  expect(auditWarnings(wishes, { frame, values })).toEqual([])
  expect(auditWarnings(wishes, { frame, values: undefined })).toEqual([])
  expect(auditWarnings({ ...wishes, level: 0.99999 }, { frame, values: { ...values, known: [] } })).toEqual([])
})

it.each([
  [
    { truth: 'label' },
    values,
    ['--truth: another column than those of predictions is meant, got label for both: every prediction is right'],
  ],
  [
    { against: 'y' },
    values,
    ['--truth: another column than those of predictions is meant, got y for both: every prediction is right'],
  ],
  [
    {},
    { predicted: ['cat', 'dog'], known: ['Cat', 'Dog', 'Owl', 'Cow'] },
    [
      '--truth: y has no value in common with the predictions, got "Cat", "Dog", "Owl" and others for "cat" and "dog": every prediction is wrong',
    ],
  ],
  [{ level: 0.9999999 }, values, ['--level: at most 99.999 % can be written, got 0.9999999: it will read 99.999 %']],
])('%j with %j is pointed out', (change, found, says) => {
  expect(auditWarnings({ ...wishes, ...change }, { frame, values: found })).toEqual(says)
})
