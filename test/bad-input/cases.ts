import type { BadInput } from './case.ts'
import { asBegun } from './cases/as-begun.ts'
import { audits } from './cases/audits.ts'
import { columns } from './cases/columns.ts'
import { files } from './cases/files.ts'
import { imports } from './cases/imports.ts'
import { options } from './cases/options.ts'
import { oracles } from './cases/oracles.ts'
import { outputs } from './cases/outputs.ts'
import { projects } from './cases/projects.ts'
import { results } from './cases/results.ts'

/** The slowest first, so that they are not waited for in the end. */
export const cases: readonly BadInput[] = [
  ...oracles,
  ...files,
  ...columns,
  ...options,
  ...audits,
  ...projects,
  ...imports,
  ...results,
  ...outputs,
  ...asBegun,
]
