import type { PaperBound } from '../../bounds/paper-bound.ts'
import type { TestedRound } from '../../projects/run-loop.ts'

/** One JSON object a line on stdout, `type` first, nothing else: what programs read. */
export function writeLine(type: 'round' | 'result' | 'progress' | 'error', content: object): void {
  process.stdout.write(`${JSON.stringify({ type, ...content })}\n`)
}

export function roundLine({ round, labels, draws, estimate, bound, test, model, drawnWith }: TestedRound): object {
  return {
    round,
    labels,
    draws: draws.map(({ id, order, probability, mass }) => ({ id, order, probability, mass })),
    ...(estimate && { estimate }),
    ...(bound && { bound: inOrder(bound) }),
    ...(test && { test }),
    ...(model.kind === 'columns' && { scores: drawnWith }),
  }
}

function inOrder({ mass, uniformMass, tightening, constant, value }: PaperBound): PaperBound {
  return { mass, uniformMass, tightening, constant, value }
}
