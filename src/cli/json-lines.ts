import type { TestedRound } from './session.ts'

/** One JSON object a line on stdout, `type` first, nothing else: what programs read. */
export function writeLine(type: 'round' | 'result' | 'progress' | 'error', content: object): void {
  process.stdout.write(`${JSON.stringify({ type, ...content })}\n`)
}

export function roundLine({ round, labels, draws, estimate, bound, test }: TestedRound): object {
  return {
    round,
    labels,
    draws: draws.map(({ id, order, probability, mass }) => ({ id, order, probability, mass })),
    ...(estimate && { estimate }),
    bound: {
      mass: bound.mass,
      uniformMass: bound.uniformMass,
      tightening: bound.tightening,
      constant: bound.constant,
      value: bound.value,
    },
    ...(test && { test }),
  }
}
