import { expect, it } from 'vitest'
import { hashIds, uniformsOf } from '../core/randomness.ts'
import { successive } from './successive.ts'

const hashes = hashIds(Array.from({ length: 5000 }, (_, i) => `${i}`))

it('takes the smallest keys, though most are never computed', () => {
  for (let seed = 0; seed < 40; seed++) {
    const stream = uniformsOf({ seed, name: 'keys' }, hashes)
    const uniforms = (i: number) => (i % 11 === seed % 11 ? 1 : stream(i)) // a key of 0, many times over
    const spread = [0, 1, 30, 300][seed % 4]! // masses of one size, or of very many
    const masses = Float64Array.from({ length: 5000 }, (_, i) => 10 ** (spread * Math.sin(i * i)))
    const size = [1, 50, 700, 4999][Math.floor(seed / 4) % 4]!
    const keys = Array.from(masses, (mass, i) => -Math.log(uniforms(i)) / mass)
    const sorted = [...keys.keys()].sort((a, b) => keys[a]! - keys[b]! || a - b)
    expect(successive.draw(masses, size, uniforms).map(({ index }) => index)).toEqual(sorted.slice(0, size))
  }
})
