import { expect, it } from 'vitest'
import {
  batchSize,
  bitsIn,
  byteNumber,
  gradeRange,
  names,
  numberIn,
  portNumber,
  positiveNumber,
  positiveWhole,
  testSource,
  wholeNumber,
} from './values.ts'

it.each([
  [wholeNumber, '0', 0],
  [wholeNumber, '9007199254740991', 2 ** 53 - 1],
  [positiveWhole, '1e3', 1000],
  [numberIn(0, 1), '0', 0],
  [numberIn(0, 1, { open: true }), '0.5', 0.5],
  [positiveNumber, '1e-9', 1e-9],
  [portNumber, '65535', 65_535],
  [batchSize, 'literal', 1],
  [batchSize, '20', 20],
  [testSource, '0.3', 0.3],
  [testSource, 'test.csv', 'test.csv'],
  [bitsIn, '8', 8],
  [names, 'ham, spam', ['ham', 'spam']],
  [gradeRange, '1..5', [1, 5]],
  [gradeRange, '-1.5 .. 0', [-1.5, 0]],
  [byteNumber, '134217728', 2 ** 27],
  [byteNumber, '500MB', 500e6],
  [byteNumber, '500m', 500e6],
  [byteNumber, ' 1.5 GiB ', 1.5 * 2 ** 30],
  [byteNumber, '2gib', 2 ** 31],
  [byteNumber, '200000000b', 2e8],
  [byteNumber, '200000 KiB', 200_000 * 1024],
  [byteNumber, '1T', 1e12],
])('%s reads %j', (read: (text: string) => unknown, text, value) => {
  expect(read(text)).toEqual(value)
})

it.each([
  [wholeNumber, '', 'a whole number is required, got ""'],
  [wholeNumber, '1.5', 'a whole number is required, got "1.5"'],
  [wholeNumber, '-1', 'a whole number of at least 0 is required, got "-1"'],
  [wholeNumber, '9007199254740992', 'a whole number below 2⁵³ is required, got "9007199254740992"'],
  [positiveWhole, '0', 'a whole number of at least 1 is required, got "0"'],
  [numberIn(0, 1), ' ', 'a number in [0, 1] is required, got " "'],
  [numberIn(0, 1), '1.01', 'a number in [0, 1] is required, got "1.01"'],
  [numberIn(0, 1, { open: true }), '1', 'a number in (0, 1) is required, got "1"'],
  [testSource, '1', 'a number in (0, 1) is required, got "1"'],
  [positiveNumber, '0', 'a positive number is required, got "0"'],
  [positiveNumber, 'Infinity', 'a positive number is required, got "Infinity"'],
  [portNumber, '65536', 'a port up to 65535 is required, got "65536"'],
  [bitsIn, '16', '8 or 32 is required, got "16"'],
  [names, 'ham,,spam', 'a name between any two commas is required, got "ham,,spam"'],
  [names, 'ham, ham', 'names that differ are required, got "ham" twice'],
  [gradeRange, '5', 'two numbers, the least first, are required, as in 1..5, got "5"'],
  [gradeRange, '5..1', 'two numbers, the least first, are required, as in 1..5, got "5..1"'],
  [gradeRange, '1..', 'two numbers, the least first, are required, as in 1..5, got "1.."'],
  [gradeRange, '1..2..3', 'two numbers, the least first, are required, as in 1..5, got "1..2..3"'],
  [gradeRange, '1...5', 'two numbers, the least first, are required, as in 1..5, got "1...5"'],
  [byteNumber, '2', 'a size of at least 128MiB is required, such as 2GiB, got "2"'],
  [byteNumber, '2 ib', 'a size of at least 128MiB is required, such as 2GiB, got "2 ib"'],
  [byteNumber, '134217727', 'a size of at least 128MiB is required, such as 2GiB, got "134217727"'],
  [byteNumber, 'much', 'a size of at least 128MiB is required, such as 2GiB, got "much"'],
])('%s refuses %j', (read: (text: string) => unknown, text, message) => {
  expect(() => read(text)).toThrow(message)
})

it('names with commas stand in quotes, as in CSV', () => {
  expect(names('size,"a, b", "say ""so""",last')).toEqual(['size', 'a, b', 'say "so"', 'last'])
  expect(names('"half,open')).toEqual(['"half', 'open'])
})
