import type { FeatureRows } from '../core/features.ts'
import { isIndex } from '../features/guess-role.ts'
import type { Roles } from '../features/roles.ts'
import { count, percent } from '../text/wording.ts'
import type { LabelledPoints, LoadedData, PoolData } from './pools/pool-data.ts'

/** What looks wrong about a pool, in a sentence, and the option that settles it. */
export interface Suspicion {
  readonly about: 'feature' | 'index' | 'classes' | 'label' | 'test' | 'decimal'
  readonly words: string
  readonly settle: string
}

/** What looks wrong before anything is spent on it. Nothing here is certain: each is said with what to do about it. */
export async function suspicionsAbout(data: PoolData | LoadedData, label: string | undefined): Promise<Suspicion[]> {
  const { roles } = data.file
  const ofColumns = roles.flatMap((each) => columnSuspicions(each, data.size))
  const ofClasses = classSuspicions(data.classes, label)
  if (!('pool' in data) || label === undefined || data.pool.labels.length === 0) return [...ofColumns, ...ofClasses]
  const { pool, test, file } = data
  const most = [...new Set(pool.labels)].length
  const many = pool.labels.length >= 20 && most > pool.labels.length / 2
  return [
    ...ofColumns,
    ...ofClasses,
    ...(many ? [tooMany(label, most, pool.labels.length)] : []),
    ...(await tellTales(file, pool, label)),
    ...(test ? overlap(pool, test, roles) : []),
  ]
}

const comma = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/

function columnSuspicions({ column, role }: Roles[number], rows: number): Suspicion[] {
  const { name, kind, examples } = column
  if (kind === 'text' && examples.length > 0 && examples.every((text) => comma.test(text.trim())))
    return [
      {
        about: 'decimal',
        words: `${name} holds numbers with a comma, such as ${examples[0]}, and is read as text`,
        settle: '--decimal ,',
      },
    ]
  if (role !== 'number' || !isIndex(column, rows)) return []
  return [{ about: 'index', words: `${name} counts the rows, and is learned from`, settle: `--ignore ${quoted(name)}` }]
}

const missing = /^(?:n\/?a|nan|null|none|nil|missing|unknown|\?+|-+|\.+|#n\/a)$/i

function classSuspicions(classes: readonly string[], label = 'the label'): Suspicion[] {
  const found: Suspicion[] = []
  const same = new Map<string, string>()
  for (const name of classes) {
    const plain = name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
    const before = same.get(plain)
    if (before !== undefined)
      found.push({
        about: 'classes',
        words: `the classes ${JSON.stringify(before)} and ${JSON.stringify(name)} differ in case, space or form alone`,
        settle: `make them one in ${label}, or --positive ${quoted(before)},${quoted(name)}`,
      })
    same.set(plain, name)
    if (missing.test(name.trim()))
      found.push({
        about: 'classes',
        words: `the class ${JSON.stringify(name)} looks like a missing value`,
        settle: `--missing ${quoted(name)}`,
      })
  }
  const isMeasured = classes.length > 20 && classes.every((name) => name.trim() !== '' && Number.isFinite(Number(name)))
  if (isMeasured && classes.some((name) => !Number.isInteger(Number(name))))
    found.push({
      about: 'label',
      words: `${label} is a number with ${count(classes.length)} different values, each of which would be a class`,
      settle: 'another --label, or --positive with the values that count as one class',
    })
  return found
}

const tooMany = (label: string, values: number, rows: number): Suspicion => ({
  about: 'label',
  words: `${label} has ${count(values)} different values in ${count(rows)} rows: hardly one is there twice`,
  settle: 'another --label',
})

const fewestRows = 100
const nearly = 0.99
const mostSeen = 10_000
/** Columns that are read in one pass over the file. */
const together = 32

/** Columns that tell the label nearly always: often they were written down after it. */
async function tellTales(
  { roles, table }: LoadedData['file'],
  { rows, labels }: LabelledPoints,
  label: string,
): Promise<Suspicion[]> {
  if (labels.length < fewestRows) return []
  const learned = roles.filter(({ role }) => role === 'number' || role === 'category').map(({ column }) => column)
  const found: Suspicion[] = []
  const seen =
    rows.length <= mostSeen ? [...rows.keys()] : [...rows.keys()].filter((k) => k % Math.ceil(rows.length / mostSeen) === 0)
  const own = seen.map((k) => labels[k] ?? null)
  const usual = shareTold(
    own.map(() => ''),
    own,
  )
  if (usual >= 0.95 || learned.length > 200) return []
  const places = seen.map((k) => rows[k]!)
  for (let first = 0; first < learned.length; first += together) {
    const some = learned.slice(first, first + together)
    const names = some.map(({ name }) => name)
    const cells = await table.pick(places, names)
    for (const [j, { name, kind, distinct }] of some.entries()) {
      const values = cells.map((row) => row[j] ?? '')
      const isFew = distinct <= Math.max(20, seen.length / 20)
      const share = isFew ? shareTold(values, own) : kind === 'number' ? shareSplit(values.map(Number), own) : 0
      if (share < nearly) continue
      const words = `${name} alone tells ${label} of ${percent(share)} of the rows: is it known before the answer?`
      found.push({ about: 'feature', words, settle: `--ignore ${quoted(name)}` })
    }
  }
  return found
}

/** The share of rows with the label that most rows of the same value have. */
function shareTold(values: readonly string[], labels: readonly (string | null)[]): number {
  const counts = new Map<string, Map<string | null, number>>()
  for (const [k, value] of values.entries()) {
    const own = counts.get(value) ?? new Map()
    own.set(labels[k]!, (own.get(labels[k]!) ?? 0) + 1)
    counts.set(value, own)
  }
  let told = 0
  for (const own of counts.values()) told += Math.max(...own.values())
  return told / values.length
}

/** The same of a number that is only compared with one threshold, of two classes. */
function shareSplit(values: readonly number[], labels: readonly (string | null)[]): number {
  const [one, ...others] = new Set(labels)
  if (others.length !== 1) return 0
  const order = [...values.keys()].sort((i, j) => values[i]! - values[j]!)
  const all = labels.filter((label) => label === one).length
  let [below, best] = [0, 0]
  for (const [rank, k] of order.entries()) {
    if (labels[k] === one) below++
    if (values[k] === values[order[rank + 1]!]) continue
    const right = below + (labels.length - rank - 1 - (all - below))
    best = Math.max(best, right, labels.length - right)
  }
  return best / labels.length
}

/** Rows to test on that are in the pool too: by their ids where they have some, or by all that is learned from them. */
function overlap(pool: LabelledPoints, test: LabelledPoints, roles: Roles): Suspicion[] {
  const hasIds = roles.some(({ role }) => role === 'id')
  const keys = ({ ids, features }: LabelledPoints) => (hasIds ? ids : rowTexts(features))
  if (!hasIds && pool.ids.length + test.ids.length > mostSeen) return []
  const known = new Set(keys(pool))
  const shared = keys(test).filter((key) => known.has(key)).length
  const most = hasIds ? 0 : test.ids.length / 2 // alike without being the same: few columns with few values
  if (shared <= most) return []
  const words = `${count(shared)} of the ${count(test.ids.length)} rows to test on are in the pool too: the test error would flatter`
  return [{ about: 'test', words, settle: 'another --test file, or a share such as --test 0.3' }]
}

function rowTexts(features: FeatureRows): string[] {
  return Array.from({ length: features.rows }, (_, row) => {
    const own = new Float64Array(features.columns)
    features.addInPlace(row, 1, own)
    return own.join()
  })
}

const quoted = (name: string) => (/[\s,"']/.test(name) || name === '' ? `'${name.includes(',') ? `"${name}"` : name}'` : name)
