import type { ExplainedPoint, ExplainedRound } from '../../projects/explain.ts'
import { count } from '../../text/wording.ts'
import { drawTable } from '../terminal/table.ts'

const mostShown = 12

/** One pass of Algorithm 1 in words and numbers, as the guide to the paper goes through it. */
export function explainedWords({ round, points, bound, switched, truth }: ExplainedRound, delta: number): string {
  const drawn = points.filter(({ isDrawn }) => isDrawn)
  const shown = points.length <= mostShown ? points : drawn.slice(0, mostShown)
  const n = points.length
  return [
    `\nRound ${round}: n = ${count(n)} points without a label, ${count(drawn.length)} drawn`,
    drawTable({ columns, rows: shown.map(cellsOf) }),
    `Theorem 6.3 M_p* = ${figure(bound.mass)}, M_q of uniform draws = ${figure(bound.uniformMass)}: ${figure(bound.tightening)} of it`,
    `Theorem 6.1 c_δ = ${figure(bound.constant)} at δ = ${delta}; c_δ M_p*/n = ${figure(bound.value)}`,
    `            of which the Bernstein switch is (c_δ − 1) M_p*/n = ${figure(switched)}`,
    ...(truth
      ? [
          `Equation 1  R = ${figure(truth.trueLoss)} ≤ A + B + C = ${figure(truth.generalisation)} + ${figure(truth.weighted)} + ${figure(truth.deviation)}`,
          `            the mean loss over U is ${figure(truth.mean)}; after training on V, B is ${figure(truth.trained)}`,
          `Equation 2  Var = ${figure(truth.variance)}, a standard deviation of ${figure(Math.sqrt(truth.variance))}`,
        ]
      : []),
  ].join('\n')
}

const columns = ['point', 'f(x)', 'pseudo-label', 'pseudo-loss', 'p*', 'π', 'loss', 'Q'].map((title) => ({ title }))

const cellsOf = ({ id, score, pseudoLabel, pseudoLoss, p, inclusion, loss, isDrawn }: ExplainedPoint) => [
  id,
  figure(score),
  pseudoLabel,
  figure(pseudoLoss),
  figure(p),
  figure(inclusion),
  loss === null ? '' : figure(loss),
  isDrawn ? '1' : '0',
]

/** Four digits: enough to compute along. */
const figure = (x: number): string => `${Number(x.toPrecision(4))}`
