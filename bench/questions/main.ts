// What intervals for questions cost, beside the figures they were designed with: `npm run bench:questions`, or only some of the tables
// with `--only best,macro`. `--runs`: of each; as many as the figures need, if left out.
import { parseArgs } from 'node:util'
import { requireInput } from '../../src/core/errors.ts'
import { best } from './best.ts'
import { cost } from './cost.ts'
import { coverage } from './coverage.ts'
import { grades } from './grades.ts'
import { histories } from './histories.ts'
import { macro } from './macro.ts'
import { several } from './several.ts'
import { smallPools } from './small-pools.ts'
import { budgets, tolerances } from './widths.ts'

const tables = { cost, budgets, tolerances, several, 'small-pools': smallPools, grades, coverage, best, macro, histories }
const usualRuns = {
  cost: 100,
  budgets: 50,
  tolerances: 40,
  several: 40,
  'small-pools': 1,
  grades: 100,
  coverage: 500,
  best: 100,
  macro: 100,
  histories: 2000,
}
const { values } = parseArgs({
  options: { only: { type: 'string', default: Object.keys(tables).join(',') }, runs: { type: 'string' } },
})

for (const name of values.only.split(',')) {
  requireInput(name in tables, `only: some of ${Object.keys(tables).join(', ')} are required, got ${name}`)
  const table = name as keyof typeof tables
  console.log(`\n${await tables[table](Number(values.runs ?? usualRuns[table]))}`)
}
