// How near the running certificate comes, how often it misses, and what it costs: `npm run bench:running`, or only some of the tables with
// `--only widths,misses`. `--runs`: of each. `--path memorises`:
// misses of paths with that in their names. ALIS_DATA: where sets are that are not shipped, sms.tsv and what `mlbench.R` writes.
import { parseArgs } from 'node:util'
import { requireInput } from '../../src/core/errors.ts'
import { attacks } from './attacks.ts'
import { cost, look } from './cost.ts'
import { misses } from './misses.ts'
import { widths } from './widths.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'look,cost,widths,misses,attacks' },
    runs: { type: 'string' },
    path: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
    engines: { type: 'string', default: 'kernels,duckdb' },
  },
})
const runs = (usual: number) => Number(values.runs ?? usual)
const tables: Readonly<Record<string, () => string | Promise<string>>> = {
  look: () => look([200, 500, 1000, 2000]),
  cost: () => cost(values.rows.split(',').map(Number), runs(40), values.engines.split(',')),
  widths: () => widths(runs(10)),
  misses: () => misses(runs(500), values.path),
  attacks: () => attacks(runs(2000)),
}

for (const name of values.only.split(',')) {
  requireInput(name in tables, `only: some of ${Object.keys(tables).join(', ')} are required, got ${name}`)
  console.log(`\n${await tables[name]!()}`)
}
process.exit() // kernels keep threads
