/** A name with the part that was typed. */
export interface Match {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Without accents and case, letter for letter: the places of letters stay what they were. */
const plain = (text: string) =>
  [...text]
    .map((letter) => letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().slice(0, letter.length) || letter)
    .join('')

/** Names in which what was typed begins a word, first those that begin with it; then those that have it anywhere. */
export function found(names: readonly string[], typed: string): Match[] {
  const wanted = plain(typed.trim())
  const places = names.map((name) => ({ name, at: placeOf(plain(name), wanted) }))
  return places
    .filter(({ at }) => at.rank < 3)
    .sort((a, b) => a.at.rank - b.at.rank)
    .map(({ name, at }) => ({ name, from: at.from, to: at.from + wanted.length }))
}

function placeOf(name: string, wanted: string): { rank: number; from: number } {
  if (name.startsWith(wanted)) return { rank: 0, from: 0 }
  const word = name.search(new RegExp(`(?<![\\p{L}\\p{N}])${wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u'))
  if (word >= 0) return { rank: 1, from: word }
  const from = name.indexOf(wanted)
  return from < 0 ? { rank: 3, from } : { rank: 2, from }
}

/** Answers before the most used classes get their digits. */
const enoughForDigits = 40

/** The nine classes that were answered most by then; they stay. */
export function mostUsed(byClass: readonly { readonly label: string | null; readonly answers: number }[]): string[] {
  const answers = byClass.reduce((sum, each) => sum + each.answers, 0)
  if (answers < enoughForDigits) return []
  return byClass
    .filter((each): each is { label: string; answers: number } => each.label !== null && each.answers > 0)
    .toSorted((a, b) => b.answers - a.answers)
    .slice(0, 9)
    .map(({ label }) => label)
}
