import { afterEach, expect, it, vi } from 'vitest'
import { stored } from './storage.ts'

afterEach(() => vi.unstubAllGlobals())

it('keeps a text under its name until it is forgotten', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  })
  const theme = stored('local', 'theme')
  expect(theme.read()).toBeUndefined()
  theme.write('dark')
  expect([theme.read(), stored('local', 'other').read()]).toEqual(['dark', undefined])
  theme.write()
  expect(theme.read()).toBeUndefined()
})

it('finds and keeps nothing where storage is forbidden', () => {
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  const forbidden = stored('session', 'page')
  forbidden.write('x')
  expect(forbidden.read()).toBeUndefined()
})
