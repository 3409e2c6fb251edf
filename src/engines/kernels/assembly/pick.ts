/**
 * The points whose uniform is large enough for their cell: only these can have one of the smallest keys. Their rows are written after
 * the count at `found`; a count beyond `room` says that some are missing. Uniforms have to be above `thresholds`, by cell, in units of
 * 2⁻³¹: above −1 all are, and none above 2³¹ − 1. Hashes come in two columns of 32 bits.
 */
export function pickByCell(
  low: usize,
  high: usize,
  cells: usize,
  rows: i32,
  first: i32,
  thresholds: usize,
  keyLow: i32,
  keyHigh: i32,
  found: usize,
  room: i32,
): void {
  const end = first + rows
  const keyLows = i32x4.splat(keyLow)
  const keyHighs = i32x4.splat(keyHigh)
  for (; first + 4 <= end; first += 4, low += 16, high += 16, cells += 8) {
    const highs = v128.xor(v128.load(high), keyHighs)
    const lows = half(v128.xor(v128.load(low), keyLows), highs)
    const mixedAB = v128.shuffle<i32>(lows, highs, 0, 4, 1, 5)
    const mixedCD = v128.shuffle<i32>(lows, highs, 2, 6, 3, 7)
    if (isPicked(i64x2.extract_lane(mixedAB, 0), load<u16>(cells), thresholds)) keep(first, found, room)
    if (isPicked(i64x2.extract_lane(mixedAB, 1), load<u16>(cells, 2), thresholds)) keep(first + 1, found, room)
    if (isPicked(i64x2.extract_lane(mixedCD, 0), load<u16>(cells, 4), thresholds)) keep(first + 2, found, room)
    if (isPicked(i64x2.extract_lane(mixedCD, 1), load<u16>(cells, 6), thresholds)) keep(first + 3, found, room)
  }
  for (; first < end; first++, low += 4, high += 4, cells += 2) {
    const highs = v128.xor(v128.load32_zero(high), keyHighs)
    const lows = half(v128.xor(v128.load32_zero(low), keyLows), highs)
    const mixed = i64x2.extract_lane(v128.shuffle<i32>(lows, highs, 0, 4, 1, 5), 0)
    if (isPicked(mixed, load<u16>(cells), thresholds)) keep(first, found, room)
  }
}

function isPicked(mixed: u64, cell: u16, thresholds: usize): bool {
  return <i32>leading(mixed) > load<i32>(thresholds + 4 * <usize>cell)
}

/** Writes a row down, if there is room. */
export function keep(row: i32, found: usize, room: i32): void {
  const count = load<i32>(found)
  store<i32>(found, count + 1)
  if (count < room) store<i32>(found + 4 + 4 * <usize>count, row)
}

/** The first step of fmix64 (see src/core/randomness.ts), four at a time: the lower halves after it. The upper ones stay as they are. */
export function half(lows: v128, highs: v128): v128 {
  return v128.xor(lows, i32x4.shr_u(highs, 1))
}

/** The other steps, as far as the leading 31 bits hang on them. */
export function leading(x: u64): u64 {
  // biome-ignore lint/correctness/noPrecisionLoss: a whole number of 64 bits here
  x *= 0xff51afd7ed558ccd
  x ^= x >> 33
  // biome-ignore lint/correctness/noPrecisionLoss: a whole number of 64 bits here
  x *= 0xc4ceb9fe1a85ec53
  return x >> 33
}
