import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import * as duckdb from '@duckdb/node-api'
import { type DataType, type DecimalType, type Field, Precision, Type } from '@uwdata/flechette'
import { AlisError, requireInput } from '../core/errors.ts'

/** How values of an Arrow type are kept by DuckDB. */
export interface Keeping {
  readonly type: DuckDBType
  /** A value as @uwdata/flechette gives it under `extraction`, and not null, as DuckDB takes it. */
  readonly keep: (value: never) => DuckDBValue
}

/** Nothing rounded: 64-bit integers and decimals as BigInt, times in their own unit. */
export const extraction = { useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true } as const

/** The types are those that DuckDB gives the same columns of a Parquet file. What Parquet cannot hold is refused. */
export function keepingOf(where: string, type: DataType): Keeping {
  const inside = (field: Field | undefined) => keepingOf(where, field!.type)
  switch (type.typeId) {
    case Type.Null:
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return asIs(duckdb.VARCHAR)
    case Type.Bool:
      return asIs(duckdb.BOOLEAN)
    case Type.Int:
      return asIs(integers[`${type.signed ? '' : 'u'}int${type.bitWidth}`])
    case Type.Float:
      return asIs(type.precision === Precision.DOUBLE ? duckdb.DOUBLE : duckdb.FLOAT)
    case Type.Duration:
      return asIs(duckdb.BIGINT)
    case Type.Decimal:
      return decimals(where, type)
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
    case Type.FixedSizeBinary:
      return { type: duckdb.BLOB, keep: (bytes: Uint8Array) => duckdb.blobValue(bytes) }
    case Type.Date:
      return {
        type: duckdb.DATE,
        keep: (milliseconds: number) => new duckdb.DuckDBDateValue(Math.floor(milliseconds / 86_400_000)),
      }
    case Type.Time:
      return {
        type: duckdb.TIME,
        keep: (value: number | bigint) => new duckdb.DuckDBTimeValue(microseconds(BigInt(value), type.unit)),
      }
    case Type.Timestamp:
      if (type.timezone === null || type.timezone === undefined) return timestamps[type.unit]
      return {
        type: duckdb.TIMESTAMPTZ,
        keep: (value: bigint) => new duckdb.DuckDBTimestampTZValue(inRange(where, microseconds(value, type.unit))),
      }
    case Type.Dictionary:
      return keepingOf(where, type.dictionary)
    case Type.RunEndEncoded:
      return inside(type.children[1])
    case Type.List:
    case Type.LargeList:
    case Type.ListView:
    case Type.LargeListView:
    case Type.FixedSizeList:
      return lists(inside(type.children[0]))
    case Type.Map:
      return maps(where, type.children[0])
    case Type.Struct:
      return structs(where, type.children)
    default:
      throw new AlisError('bad-input', `${where} must be of a type that Parquet has, got ${others[type.typeId]}`, dropIt)
  }
}

const dropIt = 'Leave the column out, or write it in another type.'
const others: Readonly<Record<number, string>> = { [Type.Interval]: 'intervals', [Type.Union]: 'a union' }

const same = (value: never): DuckDBValue => value
const asIs = (type: DuckDBType): Keeping => ({ type, keep: same })

const integers = {
  int8: duckdb.TINYINT,
  int16: duckdb.SMALLINT,
  int32: duckdb.INTEGER,
  int64: duckdb.BIGINT,
  uint8: duckdb.UTINYINT,
  uint16: duckdb.USMALLINT,
  uint32: duckdb.UINTEGER,
  uint64: duckdb.UBIGINT,
} as const

/** By unit: seconds, milliseconds, microseconds, nanoseconds. */
const timestamps = [
  { type: duckdb.TIMESTAMP_S, keep: (value: bigint) => new duckdb.DuckDBTimestampSecondsValue(value) },
  { type: duckdb.TIMESTAMP_MS, keep: (value: bigint) => new duckdb.DuckDBTimestampMillisecondsValue(value) },
  { type: duckdb.TIMESTAMP, keep: (value: bigint) => new duckdb.DuckDBTimestampValue(value) },
  { type: duckdb.TIMESTAMP_NS, keep: (value: bigint) => new duckdb.DuckDBTimestampNanosecondsValue(value) },
] as const

function microseconds(value: bigint, unit: 0 | 1 | 2 | 3): bigint {
  if (unit === 3) return (value - (((value % 1000n) + 1000n) % 1000n)) / 1000n // rounded down, also before 1970
  return value * [1_000_000n, 1000n, 1n][unit]!
}

function inRange(where: string, value: bigint): bigint {
  requireInput(BigInt.asIntN(64, value) === value, `${where} must hold times within 290,000 years, got one beyond`, dropIt)
  return value
}

/** DuckDB has decimals of up to 38 digits; longer ones become the nearest 64-bit number, as they do when it reads Parquet. */
function decimals(where: string, { precision, scale, bitWidth }: DecimalType): Keeping {
  requireInput(scale >= 0, `${where} must have decimals with a scale of 0 or more, got ${scale}`, dropIt)
  if (bitWidth <= 128 && precision >= 1 && precision <= 38 && scale <= precision) {
    const keep = (value: number | bigint) => new duckdb.DuckDBDecimalValue(BigInt(value), precision, scale)
    return { type: duckdb.DECIMAL(precision, scale), keep }
  }
  return { type: duckdb.DOUBLE, keep: (value: number | bigint) => Number(`${value}e${-scale}`) }
}

function lists({ type, keep }: Keeping): Keeping {
  const each = kept(keep)
  // Numbers need no change, and vectors are long: DuckDB reads length and items only, which a typed array has too.
  const keepItems =
    keep === same ? (items: unknown) => items as DuckDBValue[] : (items: ArrayLike<unknown>) => Array.from(items, each)
  return { type: duckdb.LIST(type), keep: (items: ArrayLike<unknown>) => new duckdb.DuckDBListValue(keepItems(items)) }
}

function maps(where: string, { type }: Field): Keeping {
  const [key, value] = type.typeId === Type.Struct ? type.children : []
  requireInput(key !== undefined && value !== undefined, `${where} must have maps of keys to values, got others`, dropIt)
  const [keys, values] = [keepingOf(where, key.type), keepingOf(where, value.type)]
  const [keepKey, keepValue] = [kept(keys.keep), kept(values.keep)]
  return {
    type: duckdb.MAP(keys.type, values.type),
    keep: (entries: readonly [unknown, unknown][]) =>
      duckdb.mapValue(entries.map(([key, value]) => ({ key: keepKey(key), value: keepValue(value) }))),
  }
}

function structs(where: string, fields: readonly Field[]): Keeping {
  const names = new Set(fields.map(({ name }) => name?.toLowerCase() ?? '')) // the package gives null where there is no name
  const isSound = fields.length > 0 && names.size === fields.length && !names.has('')
  requireInput(isSound, `${where} must have fields whose names differ in more than case, got a struct without`, dropIt)
  const inside = fields.map(({ name, type }) => ({ name, ...keepingOf(where, type) }))
  return {
    type: duckdb.STRUCT(Object.fromEntries(inside.map(({ name, type }) => [name, type]))),
    keep: (struct: Readonly<Record<string, unknown>>) =>
      duckdb.structValue(Object.fromEntries(inside.map(({ name, keep }) => [name, kept(keep)(struct[name])]))),
  }
}

const kept =
  (keep: Keeping['keep']) =>
  (value: unknown): DuckDBValue =>
    value === null ? null : keep(value as never)
