import { escapeHtml } from '../text/html.ts'

/** A table with its head; cells are written as they are. */
export function htmlTable(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) =>
    `<tr><th scope="row">${cells[0]}</th>${cells
      .slice(1)
      .map((cell) => `<td>${cell}</td>`)
      .join('')}</tr>`
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table><caption><span>${escapeHtml(caption)}</span></caption>
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(row).join('\n')}
</tbody></table></div>`
}
