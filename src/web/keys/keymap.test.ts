import { describe, expect, it } from 'vitest'
import { offeredKeys } from '../../text/class-keys.ts'
import { choiceOf, commandOf, keymap, shortcutOf } from './keymap.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false }
const digits = Array.from({ length: 10 }, (_, i) => ({ name: String(i), key: String(i) }))

describe('the keymap', () => {
  it('gives every key one meaning', () => {
    const keys = Object.values(keymap).flatMap((binding) => binding.keys as readonly string[])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has exactly those letters that are never offered to classes', () => {
    const commands = Object.values(keymap).flatMap(({ keys }) => keys as readonly string[])
    const withheld = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !offeredKeys.includes(letter))
    expect(commands.filter((key) => /^[a-z]$/.test(key)).toSorted()).toEqual(withheld)
  })

  it('finds commands whatever the case of a letter', () => {
    expect(commandOf({ ...plain, key: 'u' })).toBe('unknown')
    expect(commandOf({ ...plain, key: 'U' })).toBe('unknown')
    expect(commandOf({ ...plain, key: '?' })).toBe('help')
    expect(commandOf({ ...plain, key: ' ' })).toBe('later')
  })

  it('undoes by Ctrl Z and ⌘ Z, and leaves all other combinations to the browser', () => {
    expect(commandOf({ ...plain, key: 'z', ctrlKey: true })).toBe('undo')
    expect(commandOf({ ...plain, key: 'z', metaKey: true })).toBe('undo')
    expect(commandOf({ ...plain, key: 'z' })).toBe('zoom')
    expect(commandOf({ ...plain, key: 'p', ctrlKey: true })).toBeUndefined()
    expect(commandOf({ ...plain, key: 'u', altKey: true })).toBeUndefined()
  })

  it('finds the class of a key, and none with a modifier', () => {
    expect(choiceOf(digits, { ...plain, key: '7' })?.name).toBe('7')
    expect(choiceOf(digits, { ...plain, key: '7', ctrlKey: true })).toBeUndefined()
    expect(choiceOf([{ name: 'spam', key: 's' }], { ...plain, key: 'S' })?.name).toBe('spam')
  })

  it('tells assistive technology in its own spelling', () => {
    expect(shortcutOf('undo')).toBe('Backspace Control+Z Meta+Z')
    expect(shortcutOf('later')).toBe('Space')
  })
})
