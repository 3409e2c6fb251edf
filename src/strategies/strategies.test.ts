import { strategies } from './catalogue.ts'
import { describeStrategy } from './strategy.contract.ts'

for (const strategy of Object.values(strategies)) describeStrategy(strategy)
describeStrategy({ ...strategies.alis, name: 'alis in a large pool', suited: () => strategies.alis })
