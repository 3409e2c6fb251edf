const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as HTML, SVG or XML writes it, inside an element or an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!)

/** Pairs of a name and what it is, as a list of definitions. */
export function factList(facts: readonly (readonly [string, string])[]): string {
  return facts.map(([name, text]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text)}</dd>`).join('\n')
}
