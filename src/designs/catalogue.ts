import type { PoolDraw } from '../core/draw.ts'
import { requireInput } from '../core/errors.ts'
import { bernoulli } from './bernoulli.ts'
import type { Design } from './design.ts'
import { multinomial } from './multinomial.ts'
import { successive } from './successive.ts'
import { top } from './top.ts'

const designs: ReadonlyMap<string, Design> = new Map([successive, bernoulli, multinomial, top].map((each) => [each.name, each]))

/** Whether how a design draws is known by its name: there are intervals for it, and engines that draw by it where the pool lies. */
export const isKnownDesign = (name: string): boolean => designs.has(name)

/** Refuses what no record can name, and a design that goes by the name of another: records are read by names. */
export function requireDesign(design: Design): void {
  const isDesign = typeof design === 'object' && typeof design?.draw === 'function' && /\S/.test(design.name)
  requireInput(
    isDesign,
    `design: a name and how to draw are required, got ${typeof design === 'object' ? 'less' : `a ${typeof design}`}`,
    "For example { name: 'systematic', draw: (masses, size, uniforms) => […] }.",
  )
  const { name, draw } = design
  const known = designs.get(name)
  requireInput(
    known === undefined || known.draw === draw,
    `design: a name of its own is required, got ${name}, which is another's`,
    'Records are read by names.',
  )
}

/** Refuses draws of a design of one's own that no estimate could rest on. */
export function requireDraws({ name }: Design, draws: readonly PoolDraw[]): void {
  if (isKnownDesign(name)) return
  const ids = new Set(draws.map(({ id }) => id))
  requireInput(
    ids.size === draws.length && !ids.has(undefined!),
    `design ${name}: points of the pool, none twice, are required, got others`,
  )
  for (const [k, { id, order, probability, mass }] of draws.entries()) {
    requireInput(
      probability > 0 && probability <= 1,
      `design ${name}: a probability in (0, 1] is required, got ${probability} for ${JSON.stringify(id)}`,
    )
    requireInput(
      mass > 0 && order === k + 1,
      `design ${name}: a mass above 0, and draws numbered from 1, are required, got ${mass} at ${order}`,
    )
  }
}
