import { alis, usualKnow } from '../strategies/alis.ts'
import { strategyNamed } from '../strategies/catalogue.ts'
import type { Strategy } from '../strategies/strategy.ts'

interface SetStrategy {
  readonly strategy: string
  readonly know?: number | undefined
}

/** What goes on record of a strategy: its name, and the share it was set to, also where it was not chosen. */
export function strategySettings({ strategy, know }: SetStrategy) {
  return { strategy, ...(strategy === alis.name && { know: know ?? usualKnow }) }
}

/** A strategy by name, as a project has it set. The page may change from one strategy to another and back. */
export function strategyIn({ know }: Pick<SetStrategy, 'know'>, name: string): Strategy {
  return strategyNamed(name, name === alis.name ? { know } : {})
}

/** A strategy in words: with its share where that is not the usual one. */
export const strategyWords = ({ strategy, know }: SetStrategy): string =>
  know === undefined || know === usualKnow ? strategy : `${strategy}, know ${know}`
