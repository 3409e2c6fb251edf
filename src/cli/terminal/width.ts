import { stripVTControlCharacters } from 'node:util'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const isHalfWide = /^[\uff61-\uffdc]/u
const isWide =
  /\p{Emoji_Presentation}|\ufe0f|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uffe6]/u
const isInvisible = /^[\p{Mark}\p{Control}\p{Format}]*$/u

/** How many cells of a terminal a text takes: two for an ideograph or an emoji, none for colours and combining marks. */
export function displayWidth(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) {
    width += isWide.test(segment) && !isHalfWide.test(segment) ? 2 : isInvisible.test(segment) ? 0 : 1
  }
  return width
}

/** The text in exactly so many cells, if it is not wider already. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return align === 'right' ? space + text : text + space
}

/** The text in at most so many cells, with … where it was cut. For text without colours. */
export function clipText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let clipped = ''
  for (const { segment } of graphemes.segment(text)) {
    if (displayWidth(clipped + segment) > width - 1) break
    clipped += segment
  }
  return width > 0 ? `${clipped}…` : ''
}

/** Colours are for people at a terminal who have not asked to be spared them (https://no-color.org). */
export function wantsColor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
}

/** As wide as the terminal, within reason. */
export function chartWidth(stream: { readonly columns?: number } = process.stdout): number {
  return Math.min(stream.columns ?? 80, 100)
}
