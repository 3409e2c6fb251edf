import { expect, it } from 'vitest'
import { anchorOf, isKept } from './references.ts'

const upTo = (rounds: number) => Array.from({ length: rounds }, (_, t) => t)

it('never takes back a round that was given up, and keeps few', () => {
  for (const rounds of upTo(300)) {
    expect(upTo(rounds).filter((t) => isKept(t, rounds)).length).toBeLessThanOrEqual(45)
    expect(upTo(rounds).filter((t) => isKept(t, rounds + 1) && !isKept(t, rounds))).toEqual([])
  }
})

it('sees every round through one that is kept, and that was compared with it when it was opened', () => {
  for (const rounds of upTo(300)) {
    const others = upTo(rounds).filter((t) => !isKept(t, rounds))
    const isSeen = (t: number, anchor: number) => anchor > t && anchor < rounds && isKept(anchor, rounds) && isKept(t, anchor)
    expect(others.filter((t) => !isSeen(t, anchorOf(t, rounds)))).toEqual([])
  }
})
