/**
 * A text as a terminal may have it: what would move the cursor, change colours or titles, turn the direction of what follows, or end a line
 * where there is none, stands there as its escape. Names come from files of others.
 */
export const visible = (text: string): string => text.replace(hidden, escaped)

/** The same for what has lines of its own. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** JSON that means the same, and has none of them either: JSON itself escapes half of them. */
export const visibleJson = (json: string): string =>
  json.replace(hidden, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`)

const hidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escaped(character: string): string {
  const code = character.codePointAt(0)!
  return short[character] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`)
}
