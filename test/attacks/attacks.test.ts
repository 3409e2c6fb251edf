// What hostile people do, each case by its own file: held. More of each, and a table, by `npm run attacks`.
import { describe, expect, it } from 'vitest'
import { allAttacks } from './all.ts'
import { attempt, carryOut } from './attack.ts'

const attacks = await allAttacks()

describe('held:', () => {
  it.each(attacks)('$name', async (attack) => {
    const tries = await carryOut(attack, { isThorough: false, seed: 1 })
    expect(tries.length).toBeGreaterThan(0)
    expect(tries.filter(({ through }) => through !== undefined)).toEqual([])
  })

  it('each under a name of its own', () => {
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length)
  })
})

describe('an attempt', () => {
  it('is held where what must be said is said, and only there', async () => {
    const refused = () => Promise.reject(new Error('seal: must be right'))
    expect(await attempt('x', refused, /seal/)).toEqual({ what: 'x' })
    expect(await attempt('x', refused, /chain/)).toEqual({ what: 'x', through: '"seal: must be right" was said' })
    expect(await attempt('x', () => 'seal: other', /seal/)).toEqual({ what: 'x' })
    expect(await attempt('x', () => 'fine', /seal/)).toEqual({ what: 'x', through: '"fine" was said' })
    expect(await attempt('x', () => undefined, /seal/)).toEqual({ what: 'x', through: 'nothing was said' })
  })
})
