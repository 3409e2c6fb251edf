/**
 * The points whose uniform is large enough for their cell: only these can have one of the smallest keys. Their rows are written after
 * the count at `found`; a count beyond `room` says that some are missing. Uniforms have to be above `thresholds`, by cell, in units of
 * 2⁻³¹: above −1 all are, and none above 2³¹ − 1. Hashes are `half`-mixed.
 */
export function pick(
  hashes: usize,
  cells: usize,
  rows: i32,
  first: i32,
  thresholds: usize,
  keyLow: i32,
  keyHigh: i32,
  found: usize,
  room: i32,
): void {
  const key = half(((<u64>(<u32>keyHigh)) << 32) | <u64>(<u32>keyLow))
  const end = first + rows
  for (; first + 4 <= end; first += 4, hashes += 32, cells += 8) {
    if (isPicked(load<u64>(hashes) ^ key, load<u16>(cells), thresholds)) keep(first, found, room)
    if (isPicked(load<u64>(hashes, 8) ^ key, load<u16>(cells, 2), thresholds)) keep(first + 1, found, room)
    if (isPicked(load<u64>(hashes, 16) ^ key, load<u16>(cells, 4), thresholds)) keep(first + 2, found, room)
    if (isPicked(load<u64>(hashes, 24) ^ key, load<u16>(cells, 6), thresholds)) keep(first + 3, found, room)
  }
  for (; first < end; first++, hashes += 8, cells += 2)
    if (isPicked(load<u64>(hashes) ^ key, load<u16>(cells), thresholds)) keep(first, found, room)
}

function isPicked(mixed: u64, cell: u16, thresholds: usize): bool {
  return <i32>leading(mixed) > load<i32>(thresholds + 4 * <usize>cell)
}

function keep(row: i32, found: usize, room: i32): void {
  const count = load<i32>(found)
  store<i32>(found, count + 1)
  if (count < room) store<i32>(found + 4 + 4 * <usize>count, row)
}

/** The first step of fmix64 (see src/core/randomness.ts). Hashes come with it done: it can be taken of both sides of an xor. */
function half(x: u64): u64 {
  return x ^ (x >> 33)
}

/** The other steps, as far as the leading 31 bits hang on them. */
function leading(x: u64): u64 {
  // biome-ignore lint/correctness/noPrecisionLoss: a whole number of 64 bits here
  x *= 0xff51afd7ed558ccd
  x ^= x >> 33
  // biome-ignore lint/correctness/noPrecisionLoss: a whole number of 64 bits here
  x *= 0xc4ceb9fe1a85ec53
  return x >> 33
}
