import { describe, expect, it } from 'vitest'
import { readReply } from './reply.ts'

const bytes = (reply: unknown) => new TextEncoder().encode(JSON.stringify(reply))

describe('an answer that is a grade', () => {
  const rules = { where: 'command', shape: '{"label": …}', classes: [], range: [1, 5] } as const
  const labelOf = (label: unknown) => readReply(bytes({ label }), rules).label

  it.each([
    [4, '4'],
    ['4.5', '4.5'],
    [1, '1'],
    [' 5 ', '5'],
    [null, null],
  ])('%j is kept as %j', (label, kept) => expect(labelOf(label)).toBe(kept))

  it.each([0.5, 6, 'good', '', true, [3]])('%j is refused, not moved into the range', (label) => {
    expect(() => labelOf(label)).toThrow(`command: a label must be a number from 1 to 5, got `)
  })
})
