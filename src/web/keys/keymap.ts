import type { KeyedClass } from '../../text/class-keys.ts'

/** What a key does, beside giving a label. The order is that of the keys panel. */
export const keymap = {
  undo: { keys: ['Backspace', 'Mod+z'], caps: ['Backspace', 'Ctrl Z'], says: 'Undo the last answer' },
  later: { keys: [' '], caps: ['Space'], says: 'Later' },
  unknown: { keys: ['u'], caps: ['U'], says: 'Cannot tell' },
  find: { keys: ['/'], caps: ['/'], says: 'Find a class, where there are many' },
  readOn: { keys: ['ArrowDown', 'PageDown'], caps: ['↓'], says: 'Read on' },
  zoom: { keys: ['z'], caps: ['Z'], says: 'Full size of a picture' },
  guidelines: { keys: ['g'], caps: ['G'], says: 'Guidelines' },
  how: { keys: ['h'], caps: ['H'], says: 'How do we know?' },
  rail: { keys: ['p'], caps: ['P'], says: 'Last answers and plot' },
  help: { keys: ['?'], caps: ['?'], says: 'This panel' },
  close: { keys: ['Escape'], caps: ['Esc'], says: 'Close a panel' },
} as const satisfies Record<string, Binding>

export type Command = keyof typeof keymap

interface Binding {
  /** As in `KeyboardEvent.key`; `Mod+` is Ctrl or ⌘. */
  readonly keys: readonly string[]
  /** As printed. */
  readonly caps: readonly string[]
  readonly says: string
}

/** The part of a `KeyboardEvent` that decides. */
export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

const commands = Object.entries(keymap) as [Command, Binding][]

export function commandOf(press: Press): Command | undefined {
  if (press.altKey) return undefined
  const isModified = press.ctrlKey || press.metaKey
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
  return commands.find(([, { keys }]) => keys.includes(isModified ? `Mod+${key}` : key))?.[0]
}

/** Which class a press means, if any. Upper and lower case are the same unless two classes differ only by it. */
export function choiceOf(classes: readonly KeyedClass[], press: Press): KeyedClass | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey) return undefined
  return classes.find(({ key }) => key === press.key) ?? classes.find(({ key }) => key.toLowerCase() === press.key.toLowerCase())
}

/** For `aria-keyshortcuts`. */
export function shortcutOf(command: Command): string {
  const names: readonly string[] = keymap[command].keys
  return names.map((key) => key.replace('Mod+z', 'Control+Z Meta+Z').replace(/^ $/, 'Space')).join(' ')
}

/** For a key printed on its button. */
export function capOf(command: Command): string {
  return keymap[command].caps[0]
}
