import { existsSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A table to learn from, and what it is used for: `choose` to tune by, `report` to judge by, `texts` for texts, `given` on the command line. */
export interface LearnerSet {
  readonly name: string
  readonly file: string
  readonly label: string
  readonly group: 'choose' | 'report' | 'texts' | 'given'
  /** Values that are one class, all others the other. */
  readonly positive?: readonly string[]
  readonly text?: string
}

/**
 * Divided before anything was tuned, and not since. All but digits, letter, spambase and sms are written by `bench/running/mlbench.R`. Of large
 * ones 4,000 rows are used.
 */
export const learnerSets: readonly LearnerSet[] = [
  { name: 'satellite', file: 'satellite.csv', label: 'y', group: 'choose' },
  { name: 'vehicle', file: 'vehicle.csv', label: 'y', group: 'choose' },
  { name: 'pima', file: 'pimaindiansdiabetes.csv', label: 'y', group: 'choose' },
  { name: 'waveform', file: 'waveform.csv', label: 'y', group: 'choose' },
  { name: 'circle', file: 'circle.csv', label: 'y', group: 'choose' },
  { name: 'threenorm', file: 'threenorm.csv', label: 'y', group: 'choose' },
  { name: 'digits', file: 'digits.csv', label: 'digit', group: 'choose' },
  { name: 'spambase', file: 'spambase.csv', label: 'y', group: 'choose' },
  { name: 'letter', file: 'letter.csv', label: 'y', group: 'report', positive: [...'ABCDEFGHIJKLM'] },
  { name: 'vowel', file: 'vowel.csv', label: 'y', group: 'report' },
  { name: 'glass', file: 'glass.csv', label: 'y', group: 'report' },
  { name: 'ionosphere', file: 'ionosphere.csv', label: 'y', group: 'report' },
  { name: 'sonar', file: 'sonar.csv', label: 'y', group: 'report' },
  { name: 'breastcancer', file: 'breastcancer.csv', label: 'y', group: 'report' },
  { name: 'ringnorm', file: 'ringnorm.csv', label: 'y', group: 'report' },
  { name: 'twonorm', file: 'twonorm.csv', label: 'y', group: 'report' },
  { name: 'dna', file: 'dna.csv', label: 'y', group: 'report' },
  { name: 'shuttle', file: 'shuttle.csv', label: 'y', group: 'report' },
  { name: 'sms', file: 'sms.tsv', label: 'label', group: 'texts', text: 'text' },
]

/** `path:label`, a file of one's own. */
export function givenSet(wish: string): LearnerSet {
  const at = wish.lastIndexOf(':')
  if (at < 1) throw new Error(`csv: file and column of labels are required, path:label, got ${wish}`)
  const file = wish.slice(0, at)
  return { name: basename(file, extname(file)), file, label: wish.slice(at + 1), group: 'given' }
}

const shipped = fileURLToPath(new URL('../../data', import.meta.url))

/** Where the file of a set is: among what is shipped, in a folder of one's own, or where it was said to be. */
export function fileOf({ file }: LearnerSet, folder: string): string | undefined {
  return [join(shipped, file), join(folder, file), file].find((path) => existsSync(path))
}
