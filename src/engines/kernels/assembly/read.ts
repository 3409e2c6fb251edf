/** Reads so many bytes (a multiple of 64) as fast as this machine can: what the other kernels are measured against. */
export function readAll(at: usize, bytes: usize): i64 {
  let a = i64x2.splat(0)
  let b = i64x2.splat(0)
  let c = i64x2.splat(0)
  let d = i64x2.splat(0)
  for (const end = at + bytes; at < end; at += 64) {
    a = i64x2.add(a, v128.load(at))
    b = i64x2.add(b, v128.load(at, 16))
    c = i64x2.add(c, v128.load(at, 32))
    d = i64x2.add(d, v128.load(at, 48))
  }
  const all = i64x2.add(i64x2.add(a, b), i64x2.add(c, d))
  return i64x2.extract_lane(all, 0) + i64x2.extract_lane(all, 1)
}
