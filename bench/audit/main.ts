// Answers an audit needs, beside what others need, and what an answer costs to compute: `npm run bench:audit`, or only some of the
// tables with `--only error,ratios,digits,cost`. With `--coverage`: many audits of smaller pools, to count how often intervals are
// wrong; exit code 1 if more often than promised.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { requireInput } from '../../src/core/errors.ts'
import { digitsTable, errorTable, ratioTable } from './answers.ts'
import { costTable } from './cost.ts'
import { coverageTable } from './coverage.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'error,ratios,digits,cost' },
    coverage: { type: 'boolean', default: false },
    runs: { type: 'string' },
    size: { type: 'string' },
    tolerance: { type: 'string', default: '0.01' },
    seed: { type: 'string', default: '0' },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
})
const settings = {
  runs: Number(values.runs ?? (values.coverage ? 500 : 60)),
  size: Number(values.size ?? (values.coverage ? 3000 : 20_000)),
  seed: Number(values.seed),
  threads: Number(values.threads),
}
const tables = {
  error: () => errorTable(settings, Number(values.tolerance)),
  ratios: () => ratioTable(settings),
  digits: () => digitsTable(settings),
  cost: costTable,
}

const wanted = values.only.split(',')
const unknown = wanted.find((name) => !(name in tables))
requireInput(unknown === undefined, `only: some of ${Object.keys(tables).join(', ')} are required, got ${unknown}`)

if (values.coverage) process.exitCode = (await coverageTable(settings)) ? 0 : 1
else for (const name of wanted) await tables[name as keyof typeof tables]()
