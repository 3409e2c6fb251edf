import type { Inspection } from '../../protocol/start.ts'
import { api } from '../api/client.ts'
import { type Choices, choicesAtFirst, wishesOf } from './columns.ts'

/** A file as it was understood, with the choices that came of it. */
export interface FileInspection {
  readonly inspection: Inspection
  readonly choices: Choices
}

/** The first look at a file; a second one where a column had to be left out. */
export async function lookAt(path: string): Promise<FileInspection> {
  const inspection = await api.inspect({ path, wishes: {} })
  const choices = choicesAtFirst(inspection)
  const wishes = wishesOf(choices, inspection)
  if (Object.keys(wishes).length === 0) return { inspection, choices }
  return { inspection: await api.inspect({ path, wishes }), choices }
}
