import { fma } from './fma'
import { exp, log } from './functions'

/** Numbers kept of a point: see src/engines/fast/judged.ts. */
const kept: usize = 5 * 8

/**
 * What K scores say of a point, read as softmax does:  Pₖ = exp(zₖ) / Σ exp(zⱼ),  ℓₖ = −log Pₖ.  For each of some points the entropy Σ Pₖℓₖ, the
 * worst loss, the chance that the likeliest class is wrong, how far it is ahead of the next, and √Σ Pₖℓₖ². Two points at a time; `work` has
 * room for 16 bytes a class.
 */
export function judge(scores: usize, rows: i32, classes: i32, work: usize, out: usize): void {
  const width = <usize>(8 * classes)
  for (let i = 0; i < rows; i += 2) {
    const a = scores + <usize>i * width
    const isPair = i + 1 < rows
    judgeTwo(a, isPair ? a + width : a, width, work, out + <usize>i * kept, isPair)
  }
}

function judgeTwo(a: usize, b: usize, width: usize, work: usize, out: usize, isPair: bool): void {
  let most = f64x2.splat(-Infinity)
  let least = f64x2.splat(Infinity)
  for (let k: usize = 0; k < width; k += 8) {
    const score = pair(a + k, b + k)
    v128.store(work + 2 * k, score)
    most = f64x2.pmax(most, score)
    least = f64x2.pmin(least, score)
  }
  let sum = f64x2.splat(0)
  for (let k: usize = 0; k < width; k += 8) {
    const power = exp(f64x2.sub(v128.load(work + 2 * k), most))
    v128.store(work + 2 * k, power)
    sum = f64x2.add(sum, power)
  }
  const total = f64x2.add(most, log(sum))
  const share = f64x2.div(f64x2.splat(1), sum)
  let entropy = f64x2.splat(0)
  let square = f64x2.splat(0)
  let first = f64x2.splat(0)
  let second = f64x2.splat(0)
  let all = f64x2.splat(0)
  for (let k: usize = 0; k < width; k += 8) {
    const loss = f64x2.sub(total, pair(a + k, b + k))
    const p = f64x2.mul(v128.load(work + 2 * k), share)
    entropy = fma(p, loss, entropy)
    square = fma(f64x2.mul(p, loss), loss, square)
    second = f64x2.pmax(second, f64x2.pmin(first, p))
    all = f64x2.add(all, f64x2.pmin(first, p)) // every class but the likeliest so far
    first = f64x2.pmax(first, p)
  }
  write(out, 0, entropy, isPair)
  write(out, 8, f64x2.sub(total, least), isPair)
  write(out, 16, all, isPair)
  write(out, 24, f64x2.sub(first, second), isPair)
  write(out, 32, f64x2.sqrt(square), isPair)
}

function pair(a: usize, b: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(load<f64>(a)), 1, load<f64>(b))
}

function write(out: usize, at: usize, value: v128, isPair: bool): void {
  v128.store64_lane(out + at, value, 0)
  if (isPair) v128.store64_lane(out + at + kept, value, 1)
}
