import { randomBytes } from 'node:crypto'

/** A seed that was not chosen: 53 bits from the operating system. */
export function freshSeed(): number {
  return Number(randomBytes(8).readBigUInt64LE() >> 11n)
}
