import type { Label } from '../core/record.ts'
import { isObject } from '../programs/messages.ts'

/**
 * The class that a model meant: "SPAM", "spam.\n", "**Spam**", "Answer: spam", a line of its own at the end, JSON with a field that says so. Undefined
 * where that is not sure: a class that is only mentioned may be one that was ruled out.
 */
export function classMeant(reply: string, classes: readonly string[]): Label | undefined {
  const names = new Map<string, string[]>()
  for (const name of classes) names.set(folded(name), [...(names.get(folded(name)) ?? []), name])
  const named = (text: string): string | undefined => {
    if (classes.includes(text.trim())) return text.trim()
    const meant = names.get(folded(text))
    return meant?.length === 1 ? meant[0] : undefined
  }
  return meantBy(reply, named)
}

/** The grade that a model meant: "4", "4.5/5", "Score: 4", JSON with a field. Undefined where there is none, or more than one, or it is out of range. */
export function gradeMeant(reply: string, [least, most]: readonly [number, number]): Label | undefined {
  const graded = (text: string): string | undefined => {
    const [, grade] = /^[^\d-]*?(-?\d+(?:\.\d+)?)\s*(?:(?:\/|out of|of)\s*\d+(?:\.\d+)?)?[^\d]*$/i.exec(text.trim()) ?? []
    return grade !== undefined && Number(grade) >= least && Number(grade) <= most ? `${Number(grade)}` : undefined
  }
  return meantBy(reply, graded)
}

function meantBy(reply: string, read: (text: string) => string | undefined): Label | undefined {
  const text = reply.replace(/<think>[\s\S]*?<\/think>/gi, '').trim()
  const fenced = /^```\w*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text
  const value = jsonIn(fenced)
  if (value === null) return null
  if (isObject(value)) return inObject(value, read)
  const last = fenced.split('\n').findLast((line) => line.trim() !== '') ?? ''
  return read(typeof value === 'string' ? value : fenced) ?? read(last) ?? read(last.replace(/^.*[:=]/, ''))
}

/** Of the field called label, or of the only one that says a class. */
function inObject(fields: Record<string, unknown>, read: (text: string) => string | undefined): Label | undefined {
  if (fields.label === null) return null
  const said = 'label' in fields ? [fields.label] : Object.values(fields)
  const found = new Set(
    said.flatMap((value) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? (read(`${value}`) ?? []) : [],
    ),
  )
  return found.size === 1 ? [...found][0]! : undefined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without case, marks around it and ways to write the same letters. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s"'“”‘’`*_.!()[\]-]+|[\s"'“”‘’`*_.!()[\]-]+$/g, '')
    .replace(/[\s_-]+/g, ' ')
