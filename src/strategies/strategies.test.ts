import { strategies } from './catalogue.ts'
import { describeStrategy } from './strategy.contract.ts'

for (const strategy of Object.values(strategies)) describeStrategy(strategy)
