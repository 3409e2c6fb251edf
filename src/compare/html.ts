const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as a page writes it. */
export const html = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!)

/** A table with its head; cells are written as they are. */
export function htmlTable(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) =>
    `<tr><th scope="row">${cells[0]}</th>${cells
      .slice(1)
      .map((cell) => `<td>${cell}</td>`)
      .join('')}</tr>`
  return `<div class="scroll" tabindex="0" role="region" aria-label="${html(caption)}"><table><caption><span>${html(caption)}</span></caption>
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(row).join('\n')}
</tbody></table></div>`
}
