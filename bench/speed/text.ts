import { fastEngine } from '../../src/engines/fast.ts'
import { featureBuilder } from '../../src/features/builder.ts'
import type { Roles } from '../../src/features/roles.ts'
import { medianOf } from './pool.ts'
import { rounds } from './rounds.ts'

const documents = 200_000
const words = 40

/** Texts of words from a vocabulary in which a few are common and most are rare. */
function texts(): string[] {
  let state = 7
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / 2 ** 24
  }
  const word = () => `w${Math.floor(30_000 * next() ** 4).toString(36)}`
  return Array.from({ length: documents }, () => Array.from({ length: words }, word).join(' '))
}

/** How fast texts become features, and how long a round takes on them. */
export async function measureText() {
  const all = texts()
  const column = { name: 'text', kind: 'text', missing: 0, distinct: documents, meanLength: 200, examples: [] } as const
  const roles: Roles = [{ column, role: 'text', isShown: true, reason: 'bench' }]
  const builder = featureBuilder(roles, documents)
  const start = performance.now()
  builder.add({ start: 0, rows: documents, columns: [{ kind: 'text', values: all }] })
  const { features, recipe } = builder.finish()
  const seconds = (performance.now() - start) / 1000
  const engine = fastEngine({ ids: Array.from({ length: documents }, (_, row) => `${row}`), features })
  const times = await rounds(engine, 9)
  const characters = all.reduce((sum, text) => sum + text.length, 0)
  return {
    documents,
    features: recipe.width,
    perSecond: documents / seconds,
    megabytesPerSecond: characters / seconds / 1e6,
    round: medianOf(times.slice(2)),
  }
}
