import { expect, it } from 'vitest'
import { anchorOf, isKept, seenThrough } from './references.ts'

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

it('of few rounds every second is kept, of many every fourth, of very many every eighth', () => {
  const stays = (rounds: number) => [2, 4, 8].map((every) => isKept(every, rounds))
  expect([64, 65, 128, 129].map(stays)).toEqual([
    [true, true, true],
    [false, true, true],
    [false, true, true],
    [false, false, true],
  ])
  expect([anchorOf(1, 20), anchorOf(5, 65), anchorOf(9, 200)]).toEqual([2, 8, 16])
})

it('what separates two models through a third adds up', () => {
  const round = { mostErrors: 1, leastErrors: 2, differing: 3, added: 4, gone: 5 }
  const other = { mostErrors: 10, leastErrors: 20, differing: 30, added: 40, gone: 50 }
  expect(seenThrough(round, other)).toEqual({ mostErrors: 11, leastErrors: 22, differing: 33, added: 44, gone: 55 })
})
