import type { TableColumn } from '../core/rows.ts'

/** What a column is for. `show`: people see it, nothing is learned from it. `score`: what a model says that is not learned here. */
export type Role = 'id' | 'label' | 'score' | 'number' | 'category' | 'text' | 'vector' | 'show' | 'ignored'

export interface Verdict {
  readonly role: Role
  readonly reason: string
}

/** A column called id. If its values do not tell points apart, reading the ids fails and says so; it is not passed over here. */
export function isNamedId({ name }: TableColumn): boolean {
  return name.toLowerCase() === 'id'
}

/** What a column is for, by its looks. If it was asked for as a feature, how best to learn from it. */
export function guessRole(column: TableColumn, rows: number, isAsked: boolean): Verdict {
  const { kind, missing, distinct, width } = column
  if (missing >= rows || distinct === 0) return ignored('empty')
  if (!isAsked && distinct === 1 && missing === 0) return ignored('constant: says nothing')
  if (kind === 'vector') return { role: 'vector', reason: `lists of ${count(width ?? 0)} numbers` }
  if (kind === 'number') return isAsked ? asked('number') : guessNumber(column, rows)
  const guess = guessText(column, rows)
  if (!isAsked) return guess
  return asked(guess.role === 'category' ? 'category' : 'text')
}

function asked(role: Role): Verdict {
  return { role, reason: 'chosen with --features' }
}

function guessNumber(column: TableColumn, rows: number): Verdict {
  const { name, distinct, missing, examples } = column
  const isCounter = missing === 0 && distinct >= 0.9 * rows && examples.every((value) => /^[+-]?\d+(\.0*)?$/.test(value.trim()))
  const isUnnamed = /^(?:column\d+|V\d+|X)$/.test(name) && isIndex(column, rows) // as R and files without a name for it have it
  if (isUnnamed || (isCounter && rows > 1 && isCounterName(name)))
    return ignored('whole numbers, all different: looks like a row number')
  return { role: 'number', reason: 'numbers' }
}

/** Whether a column counts the rows: 0, 1, 2, … or 1, 2, 3, … */
export function isIndex({ kind, missing, distinct, examples }: TableColumn, rows = distinct): boolean {
  const first = examples.map(Number)
  const isCounted = first.length >= 3 && (first[0] === 0 || first[0] === 1) && first.every((n, k) => n === first[0]! + k)
  return kind === 'number' && missing === 0 && isCounted && distinct >= 50 && distinct >= 0.9 * rows
}

/** id, user_id, userId, index, row number, No., and what pandas and DuckDB call a column without a name */
function isCounterName(name: string): boolean {
  return (
    /^(?:.*[ _.-])?(?:id|idx|index|row|nr|no\.?|num|number|key|#)$|^unnamed: ?\d+$|^column0+$|^$/i.test(name) ||
    /[a-z](?:Id|ID)$/.test(name)
  )
}

function guessText(column: TableColumn, rows: number): Verdict {
  const { missing, distinct, meanLength, examples } = column
  const filled = rows - missing
  const mostly = (test: (example: string) => boolean) => examples.filter(test).length > examples.length / 2
  if (mostly((example) => image.test(example.trim()))) return { role: 'show', reason: 'images: shown, not learned from' }

  const isVaried = filled > 4 && distinct > 0.5 * filled
  const isFew = distinct <= 50 || (distinct <= 0.05 * rows && distinct <= 1000)
  if (isFew && !isVaried) return { role: 'category', reason: `${count(distinct)} different values` }
  if (mostly(hasWords) && (meanLength >= 20 || isVaried)) return { role: 'text', reason: 'words' }
  if (mostly((example) => date.test(example))) return ignored('dates: say little by themselves')
  if (isVaried) return ignored(`${of(distinct, rows)}: looks like a name`)
  return ignored(`${of(distinct, rows)}: too many for a category, and no words`)
}

const image = /^data:image\/|\.(?:png|jpe?g|gif|webp|svg|bmp|avif|tiff?)(?:[?#]\S*)?$/i
const date = /^\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?!\d)/

/** Two words with a space between them, or a few letters in a row of a script that has no spaces. */
function hasWords(example: string): boolean {
  const words = example.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word))
  return words.length >= 2 || spaceless.test(example)
}

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]{4,}/u

function ignored(reason: string): Verdict {
  return { role: 'ignored', reason }
}

function of(distinct: number, rows: number): string {
  return `${count(distinct)} different values in ${count(rows)} rows`
}

function count(n: number): string {
  return n.toLocaleString('en-US')
}

/** Whether a column holds addresses of images, or images themselves. */
export function isImage({ examples }: Pick<TableColumn, 'examples'>): boolean {
  return examples.length > 0 && examples.every((example) => image.test(example.trim()))
}
