import { observable } from './observable.ts'
import { stored } from './storage.ts'

const kept = stored('local', 'alis:name')
const name = observable<string | undefined>(kept.read())

/** Who answers in this browser, once they said. */
export const { use: useAnnotator, now: annotatorNow } = name

export function nameAnnotator(text: string): void {
  const named = text.trim() || undefined
  kept.write(named)
  name.set(named)
}

/** "AK" of Anna Kowalska, "B" of bob. */
export function initials(text: string): string {
  const words = text.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return ends
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}
