import type { Stream } from '../../core/randomness.ts'
import { commonOperations, type Dialect, keyOf, log1pByLog } from '../sql/dialect.ts'
import type { Abilities } from './session.ts'
import { doubleText, quotedName, quotedText } from './sql-text.ts'

/** SQL as a ClickHouse server of some version has it. */
export function clickhouseDialect({ hasDotProduct, hasExactSums, hasLog1p }: Omit<Abilities, 'version'>): Dialect {
  return {
    number: doubleText,
    text: quotedText,
    name: quotedName,
    // Equal terms are computed once anyway. A name is one function more inside another, and old servers analyse the inner one twice.
    writtenOut: 100,
    rewrites: hasLog1p ? {} : { log1p: (x) => log1pByLog(x!) },
    operations: {
      ...commonOperations,
      log: (x) => `log(${x})`,
      ...(hasLog1p && { log1p: (x: string) => `log1p(${x})` }),
      'if-at-least': (a, b, yes, no) => `if(${a} >= ${b}, ${yes}, ${no})`,
      'if-above': (a, b, yes, no) => `if(${a} > ${b}, ${yes}, ${no})`,
      'if-equal': (a, b, yes, no) => `if(${a} = ${b}, ${yes}, ${no})`,
      second: (...of) => `arrayReverseSort([${of}])[2]`,
      place: (...of) => `toFloat64(indexOf([${of}], ${commonOperations.largest(...of)}) - 1)`,
    },
    when: (condition, yes, no) => `if(${condition}, ${yes}, ${no})`,
    float: (value) => `toFloat64(toFloat32(${value}))`,
    indexIn(texts, text, otherwise) {
      const at = `indexOf([${texts}], assumeNotNull(${text}))`
      return `toInt32(if(${at} = 0, ${otherwise}, ${at} - 1))`
    },
    entry: (table, at) => `[${table}][toInt32(${at}) + 1]`,
    dot: (list, numbers) =>
      hasDotProduct
        ? `dotProduct(${list}, [${numbers}])` // doubles, because the numbers are
        : `arraySum(arrayMap((a, b) -> a * b, ${list}, [${numbers}]))`,
    squares: (list) => (hasDotProduct ? `dotProduct(${list}, ${list})` : `arraySum(arrayMap(a -> a * a, ${list}))`),
    total: (value) => (hasExactSums ? `sumKahan(${value})` : `sum(${value})`),
    withUniforms: (from, stream) => `(SELECT *, ${uniformOf('h', stream)} AS u FROM ${from})`,
  }
}

/** The hash of a point, given its id as text.   @see docs/decisions/randomness.md */
export const hashOf = (id: string): string => `reinterpretAsUInt64(substring(MD5(${id}), 1, 8))`

/** intHash64 xors with a constant and then mixes as fmix64 does: xored in beforehand, the constant cancels. */
const cancelled = 0x4cf2d2baae6da887n

export function uniformOf(hash: string, stream: Stream): string {
  const key = keyOf(stream) ^ cancelled
  return `(bitShiftRight(intHash64(bitXor(${hash}, toUInt64(${quotedText(`${key}`)}))), 11) + 1) / 9007199254740992`
}
