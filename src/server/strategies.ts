import { isRandom } from '../designs/top.ts'
import type { Strategy as OfferedStrategy } from '../protocol/project.ts'
import { strategies } from '../strategies/catalogue.ts'

/** What people choose a strategy by. A strategy without a title is shown by its name. */
const titles: Readonly<Record<string, { readonly title: string; readonly summary: string }>> = {
  alis: {
    title: 'Learn fast',
    summary: 'Unsure points more often, every point sometimes. Measured: about half the answers of plain random.',
  },
  uniform: { title: 'Plain random', summary: 'Every point equally likely. The baseline: slower, and as simple as it gets.' },
  'alis-variance': {
    title: 'Learn fast, with patience',
    summary: 'More of what would settle the boundary, in pools of any size. Much more arithmetic in large ones.',
  },
  uncertainty: {
    title: 'Most unsure first',
    summary: 'No dice: always the points the model is least sure of. No unbiased estimate.',
  },
  iwal: {
    title: 'Ask when it matters',
    summary: 'Points pass by at random; each is asked about if one answer could still change the prediction.',
  },
  'core-set': {
    title: 'Cover the pool',
    summary: 'No dice: always the point least like any with a label. No unbiased estimate.',
  },
  bmdr: {
    title: 'Unsure and typical',
    summary: 'No dice: unsure points that together look like the pool. No unbiased estimate.',
  },
  paper: { title: 'The paper, to the letter', summary: 'Algorithm 1 as published. Learns more slowly than plain random.' },
}

export const offeredStrategies: readonly OfferedStrategy[] = Object.values(strategies).map(({ name, summary, design }) => ({
  name,
  title: titles[name]?.title ?? name,
  summary: titles[name]?.summary ?? summary,
  isRandom: isRandom(design.name),
}))

/** A strategy as the page shows it; of one that is no longer offered, its name. */
export function offeredStrategy(name: string): OfferedStrategy {
  return offeredStrategies.find((strategy) => strategy.name === name) ?? { name, title: name, summary: '', isRandom: true }
}
