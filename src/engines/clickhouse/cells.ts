import type { TableColumn } from './session.ts'
import { quotedName } from './sql-text.ts'

/** A column as expressions of SQL, by what it holds. */
export interface ColumnCells {
  readonly name: string
  readonly kind: 'number' | 'text' | 'vector'
  /** Whether a cell is empty: NULL, not a number, or a text without characters. */
  readonly isMissing: string
  /** As written, NULL where it is empty. */
  readonly text: string
  /** A double that is a 32-bit float; anything where it is empty. */
  readonly number: string
  /** What to hash to see whether a cell has changed; never NULL, which would make the hash of everything NULL. */
  readonly hashed: readonly string[]
}

const numeric = /^(U?Int(8|16|32|64|128|256)|Float(32|64)|Decimal(32|64|128|256)?\(.*\))$/

/** What can be read of a column; undefined for types that are neither numbers, texts nor lists of numbers. */
export function cellsOf({ name, type }: TableColumn): ColumnCells | undefined {
  const column = quotedName(name)
  const isNullable = /Nullable\(/.test(type)
  const own = type.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1')
  const list = /^Array\((.*)\)$/.exec(own)?.[1]
  if (list !== undefined)
    return numeric.test(list)
      ? { name, kind: 'vector', isMissing: '0', text: `toString(${column})`, number: 'nan', hashed: [column] }
      : undefined
  if (/^(Tuple|Map|Nested|AggregateFunction|Object|JSON|Variant|Dynamic)/.test(own)) return undefined
  const filled = isNullable ? `assumeNotNull(${column})` : column
  const isNumber = numeric.test(own)
  const isEmpty = isNumber ? (own.startsWith('Float') ? `isNaN(${filled})` : '0') : `toString(${filled}) = ''`
  const isMissing = isNullable ? `(isNull(${column}) OR ${isEmpty})` : isEmpty
  return {
    name,
    kind: isNumber ? 'number' : 'text',
    isMissing,
    text: isMissing === '0' ? `toString(${column})` : `if(${isMissing}, NULL, toString(${filled}))`,
    number: `toFloat64(toFloat32(${filled}))`,
    hashed: isNullable ? [`ifNull(toString(${column}), '')`, `isNull(${column})`] : [column],
  }
}
