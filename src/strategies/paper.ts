import { bernoulli } from '../designs/bernoulli.ts'
import { multinomial } from '../designs/multinomial.ts'
import { successive } from '../designs/successive.ts'
import { pure } from '../masses/mass.ts'
import { pseudoLoss } from '../masses/pseudo-loss.ts'
import type { Strategy } from './strategy.ts'

/** Algorithm 1 of the paper, to the letter (Pydi & Lokhande 2019).   @see docs/equations.md#algorithm */
export const paper: Strategy = {
  name: 'paper',
  summary: 'Algorithm 1 to the letter: √ worst-case loss, Bernoulli draws, retrained on the last batch with weights 1/p',
  mass: pure(pseudoLoss),
  design: bernoulli,
  trainsOn: 'batch',
  weighting: 1,
}

/** The same with the paper's other word for the draw, "with replacement". */
export const paperReplacement: Strategy = {
  ...paper,
  name: 'paper-replacement',
  summary: 'as paper, drawing with replacement',
  design: multinomial,
}

/** The practical reading: the paper's distribution, one point at a time, every label kept, weights that stay unbiased. */
export const paperAll: Strategy = {
  name: 'paper-all',
  summary: '√ worst-case loss, successive draws, trained on all labels with LURE weights',
  mass: pure(pseudoLoss),
  design: successive,
  trainsOn: 'all',
  weighting: 1,
}
