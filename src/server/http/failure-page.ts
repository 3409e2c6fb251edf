import { createHash } from 'node:crypto'
import type { Failure } from '../../protocol/project.ts'
import { escapeHtml } from '../../text/html.ts'

const style = `:root{color-scheme:light dark}
body{margin:0;padding:15vh 24px;background:light-dark(#f7f6f2,#131516);color:light-dark(#1a1c1e,#eceeeb);font:1.0625rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:auto}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 12px}
p{margin:0 0 20px}
.quiet{color:light-dark(#666b70,#959b9b);font-size:.9375rem;overflow-wrap:anywhere}`

/** Lets this style and nothing else act: a browser that is refused gets no file of the page. */
export const failurePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`

/** What a person sees whose address is refused: what to do, and only then why. */
export function failurePage({ code, message, hint }: Failure): string {
  const title = titles[code] ?? 'This did not work.'
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ALIS</title>
<style>${style}</style>
<main>
<h1>${title}</h1>
${hint === undefined ? '' : `<p>${escapeHtml(hint)}</p>\n`}<p class="quiet">${escapeHtml(message)}</p>
</main>
</html>
`
}

const titles: Readonly<Record<string, string>> = {
  'not-known': 'This page needs the whole address.',
  'wrong-host': 'This server goes by another name.',
  'not-found': 'There is nothing here.',
}
