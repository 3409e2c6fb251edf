/**
 * How ClickHouse writes names, texts and numbers. Old servers have no bound parameters, so every string of a person passes
 * through here: backslashes and quotes are the only characters that mean something inside the quotes.
 */
export const quotedName = (name: string): string => `\`${escaped(name).replaceAll('`', '\\`')}\``

export const quotedText = (text: string): string => `'${escaped(text).replaceAll("'", "\\'")}'`

/** Ends of lines are written as codes: a form that is sent would turn \n into \r\n. */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0').replaceAll('\n', '\\n').replaceAll('\r', '\\r')

/** A double, read back to the last bit. Without the exponent `2` would be an integer of eight bits. */
export const doubleText = (value: number): string => (Number.isFinite(value) ? value.toExponential() : infinity(value))

const infinity = (value: number): string => (Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf')

/** Rows of one column as ClickHouse reads them in the format TabSeparated. */
export const tabSeparated = (cells: readonly string[]): string =>
  cells.map((cell) => `${escaped(cell).replaceAll('\t', '\\t')}\n`).join('')
