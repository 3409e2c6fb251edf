import { requireInput } from '../core/errors.ts'

// In every Node we support, not yet in the types: a number written as it is spelled.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/**
 * JSON whose numbers `JSON.parse` gives back to the last bit: also −0, which JSON writes as 0, and ±∞, which it writes as null.
 * Refuses what it would give back as something else: NaN, columns, maps.
 */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (key, item) => {
    if (typeof item === 'object' && item !== null) {
      const kind = Object.prototype.toString.call(item).slice(8, -1)
      requireInput(kind === 'Object' || kind === 'Array', `record: ${key || 'value'} must be plain data, got ${kind}`)
    }
    if (typeof item !== 'number') return item
    requireInput(!Number.isNaN(item), `record: ${key || 'value'} must be a number, got NaN`)
    if (Object.is(item, -0)) return rawJSON('-0')
    return Number.isFinite(item) ? item : rawJSON(item > 0 ? '1e999' : '-1e999')
  })
}
