import { alisStrategy } from './alis.ts'
import { strategies } from './catalogue.ts'
import { describeStrategy } from './strategy.contract.ts'

for (const strategy of Object.values(strategies)) describeStrategy(strategy)
const { suited: _, ...alisInLargePools } = strategies.alis
describeStrategy({ ...alisInLargePools, name: 'alis in a large pool' })
for (const know of [0.3, 1]) describeStrategy({ ...alisStrategy({ know }), name: `alis that knows ${know}` })
