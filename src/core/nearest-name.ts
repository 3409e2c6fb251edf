/** The name that a mistyped one most likely meant: fewest edits, at most four in ten letters. Case does not count as an edit. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(0.4 * wanted.length))
  const ranked = names
    .filter((name) => Math.abs(name.length - wanted.length) <= most) // or a megabyte would be compared letter by letter
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
  return ranked.sort((a, b) => a.distance - b.distance)[0]?.name
}

/** The hint for a name that is not there; undefined where nothing is near. */
export function didYouMean(wanted: string, names: readonly string[]): string | undefined {
  const nearest = nearestName(wanted, names)
  return nearest === undefined ? undefined : `Did you mean ${JSON.stringify(nearest)}?`
}

/** Levenshtein's distance: insertions, deletions and substitutions that turn one word into the other. */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const current = [i]
    for (let j = 1; j <= to.length; j++) {
      const substituted = previous[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      current.push(Math.min(substituted, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[to.length]!
}
