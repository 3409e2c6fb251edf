import { AlisError, requireInput } from './errors.ts'
import type { Label } from './record.ts'

/** Refuses classes that answers could not tell apart. */
export function requireClasses(classes: readonly string[]): void {
  requireInput(
    classes.length >= 2,
    `classes: at least two are required, got ${classes.length}`,
    'With one class there is nothing to learn.',
  )
  for (const [k, name] of classes.entries()) {
    const isName = typeof name === 'string' && name.trim() !== ''
    requireInput(isName, `classes: a name for each is required, got ${JSON.stringify(name)} at ${k + 1}`)
    requireInput(classes.indexOf(name) === k, `classes: names that differ are required, got ${JSON.stringify(name)} twice`)
  }
}

/** Refuses an answer that no record could be read with, before it is put there. */
export function requireAnswer(id: string, label: Label, oracle: string, classes: readonly string[]): void {
  if (label === null || classes.includes(label)) return
  throw new AlisError(
    'oracle-failed',
    `${oracle}: one of the classes ${classes.join(', ')} is required, got ${JSON.stringify(label)} for ${JSON.stringify(id)}`,
    'A label of null says "cannot tell".',
  )
}
