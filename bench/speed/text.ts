import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { featureBuilder } from '../../src/features/builder.ts'
import type { Roles } from '../../src/features/roles.ts'
import { medianOf } from './pool.ts'
import { rounds } from './rounds.ts'

const documents = 200_000
const words = 40

/** Texts of words from a vocabulary in which a few are common and most are rare. */
function texts(count: number): string[] {
  let state = 7
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / 2 ** 24
  }
  const word = () => `w${Math.floor(30_000 * next() ** 4).toString(36)}`
  return Array.from({ length: count }, () => Array.from({ length: words }, word).join(' '))
}

/** Random texts as features, with the seconds that took. */
export function textFeatures(count: number) {
  const all = texts(count)
  const column = { name: 'text', kind: 'text', missing: 0, distinct: count, meanLength: 200, examples: [] } as const
  const roles: Roles = [{ column, role: 'text', isShown: true, reason: 'bench' }]
  const builder = featureBuilder(roles, count)
  const start = performance.now()
  builder.add({ start: 0, rows: count, columns: [{ kind: 'text', values: all }] })
  const { features } = builder.finish()
  const seconds = (performance.now() - start) / 1000
  return { features, seconds, characters: all.reduce((sum, text) => sum + text.length, 0) }
}

/** How fast texts become features, and how long a round takes on them. */
export async function measureText() {
  const { features, seconds, characters } = textFeatures(documents)
  const engine = fastEngine({ ids: Array.from({ length: documents }, (_, row) => `${row}`), features })
  const times = await rounds(engine, 9)
  return {
    documents,
    features: features.columns,
    perSecond: documents / seconds,
    megabytesPerSecond: characters / seconds / 1e6,
    round: medianOf(times.slice(2)),
  }
}
