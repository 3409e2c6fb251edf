import { describe, expect, it } from 'vitest'
import { admission } from './admission.ts'

describe('a code', () => {
  it('is good for one secret', () => {
    const { code, admit, knows } = admission()
    const one = code()
    const secret = admit(one)!
    expect(knows(secret)).toBe(true)
    expect(admit(one)).toBeUndefined()
    expect(knows(secret)).toBe(true) // who opens a printed address twice is the one who has the terminal
  })

  it('is long, never the same, and no secret', () => {
    const { code, knows, admit } = admission()
    const codes = Array.from({ length: 100 }, () => code())
    const secrets = codes.map((each) => admit(each)!)
    expect(new Set([...codes, ...secrets]).size).toBe(200)
    for (const each of [...codes, ...secrets]) expect(Buffer.from(each, 'base64url')).toHaveLength(32)
    expect(codes.some(knows)).toBe(false)
    expect(admit('')).toBeUndefined()
    expect(knows('')).toBe(false)
  })

  it('that others may see ends with its time', () => {
    let now = 0
    const { code, admit } = admission(() => now)
    const [early, late] = [code({ lasts: 10 }), code({ lasts: 10 })]
    now = 10
    expect(admit(early)).toBeDefined()
    now = 11
    expect(admit(late)).toBeUndefined()
  })

  it('that others may see and that comes twice ends what it was good for', () => {
    const { code, admit, knows } = admission()
    const seen = code({ lasts: 10 })
    const secret = admit(seen)!
    expect(admit(seen)).toBeUndefined()
    expect(knows(secret)).toBe(false)
    expect(admit(seen)).toBeUndefined()
  })

  it('is forgotten when a thousand younger ones wait', () => {
    const { code, admit } = admission()
    const [oldest, next] = [code(), code()]
    for (let k = 0; k < 999; k++) code()
    expect(admit(oldest)).toBeUndefined()
    expect(admit(next)).toBeDefined()
  })
})
