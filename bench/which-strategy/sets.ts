import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ComparePlan } from '../../src/compare/plan.ts'

/** Data to compare strategies on, and what it is about. */
export interface DataSet {
  /** Where its table stands on the page. */
  readonly name: string
  readonly title: string
  readonly file: string
  readonly data: ComparePlan['data']
  /** Labels a round, if not 10. */
  readonly batch?: number
  /** Seeds at most, where runs take long. */
  readonly seeds?: number
  /** Strategies that cannot work on it, and why. */
  readonly without?: readonly string[]
}

const test = 0.4

/** Those with a table of their own on the page; the last is used where its file is at hand. */
export const dataSets: readonly DataSet[] = [
  {
    name: 'digits',
    title: 'Handwritten digits, odd or even: 1,797 rows, 64 grey values',
    file: 'digits.csv',
    data: { label: 'digit', positive: '1,3,5,7,9', test },
  },
  {
    name: 'spambase',
    title: 'Mails, spam or not: 4,601 rows, 57 frequencies of words and lengths of runs',
    file: 'spambase.csv',
    data: { label: 'y', positive: 'spam', test },
  },
  {
    name: 'letter',
    title: 'Letters, A–M or N–Z: 20,000 rows, 16 figures of their shape',
    file: 'letter.csv',
    data: { label: 'y', positive: 'A,B,C,D,E,F,G,H,I,J,K,L,M', test },
  },
  {
    name: 'digits-10',
    title: 'Handwritten digits, all ten: 1,797 rows, 64 grey values',
    file: 'digits.csv',
    data: { label: 'digit', test },
    batch: 50, // ten classes take their time to fit
  },
  {
    name: 'sms',
    title: 'Text messages, spam or not: 5,549 rows of text',
    file: 'sms.tsv',
    data: { label: 'label', positive: 'spam', text: ['text'], test },
    seeds: 8,
    without: ['alis-variance', 'iwal', 'core-set', 'bmdr'], // for tens or hundreds of features, not for tens of thousands
  },
]

/** Sets that no strategy was shaped on: other questions about the same rows, and mails. Only their overview is on the page. */
export const freshSets: readonly DataSet[] = [
  {
    name: 'digits 0–4',
    title: 'Handwritten digits, 0 to 4 or 5 to 9',
    file: 'digits.csv',
    data: { label: 'digit', positive: '0,1,2,3,4', test },
  },
  {
    name: 'prime digits',
    title: 'Handwritten digits, prime or not',
    file: 'digits.csv',
    data: { label: 'digit', positive: '2,3,5,7', test },
  },
  {
    name: 'vowels',
    title: 'Letters, vowels or not',
    file: 'letter.csv',
    data: { label: 'y', positive: 'A,E,I,O,U,Y', test },
  },
  {
    name: 'every other letter',
    title: 'Letters, A, C, E, … or B, D, F, …',
    file: 'letter.csv',
    data: { label: 'y', positive: 'A,C,E,G,I,K,M,O,Q,S,U,W,Y', test },
  },
  {
    name: 'letter A',
    title: 'Letters, A or not',
    file: 'letter.csv',
    data: { label: 'y', positive: 'A', test },
  },
]

const shipped = fileURLToPath(new URL('../../data', import.meta.url))

/** Where the file of a set is: among what is shipped, or in a folder of one's own. */
export function fileOf({ file }: DataSet, folder: string | undefined): string | undefined {
  return [shipped, folder].flatMap((place) => (place ? [join(place, file)] : [])).find((path) => existsSync(path))
}
