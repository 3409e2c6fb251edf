import { dense } from '../core/features.ts'
import { describeEngine } from './engine.contract.ts'
import { fastEngine } from './fast.ts'

describeEngine('fast', async ({ ids, values, columns, contents }) =>
  fastEngine({
    ids,
    features: dense(values, columns),
    fields: async (rows) => rows.map((row) => contents[row]!.fields),
    smallest: 0,
  }),
)
