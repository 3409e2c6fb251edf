// What makes up texts by lot, the same on every run.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'

/** A number in [0, 1) that depends on the words alone. */
export const lot = (...words) => createHash('sha256').update(words.join(' ')).digest().readUInt32BE() / 2 ** 32
export const pick = (list, ...words) => list[Math.floor(lot(...words) * list.length)]

/** A sentence with every {part} filled in from the lists. */
export function filled(template, parts, ...words) {
  let k = 0
  return template.replace(/\{(\w+)\}/g, (_, part) => pick(parts[part], part, `${k++}`, ...words))
}

const cell = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
export const csv = (rows) => `${rows.map((row) => row.map((value) => cell(`${value}`)).join()).join('\n')}\n`

/** As many different texts as are wanted. */
export function different(count, make) {
  const rows = new Map()
  for (let k = 0; rows.size < count; k++) {
    const row = make(k)
    if (!rows.has(row.text)) rows.set(row.text, row)
  }
  return [...rows.values()]
}

/** A prediction of one of some names that is right this often. */
export const guess = (names, name, rate, ...words) =>
  lot(...words) < rate
    ? name
    : pick(
        names.filter((other) => other !== name),
        'else',
        ...words,
      )

export const writeSample = (name, text) => writeFileSync(new URL(`../data/${name}`, import.meta.url), text)
