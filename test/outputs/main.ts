// Writes down anew what the commands of record.ts say: for changes that are meant to change it. The changelog says so.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alis } from '../command.ts'
import { recordOutputs } from './record.ts'

export const kept = fileURLToPath(new URL('./kept', import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outputs = await recordOutputs(alis)
  rmSync(kept, { recursive: true, force: true })
  mkdirSync(kept)
  for (const [name, said] of Object.entries(outputs)) writeFileSync(join(kept, `${name}.txt`), said)
}
