import { indicator, type MetricDefinition } from './metric.ts'

/**
 * Cohen's kappa, the agreement of predictions and answers beyond chance:  κ = (pₒ − pₑ)/(1 − pₑ) = Σ ([p = y] − c_y) / Σ (1 − c_y).
 * The shares c of the predicted classes are known, so chance agreement pₑ = Σ c_y / N is a mean over answers.
 */
export const kappa = {
  word: 'kappa',
  worth: ({ predicted }, answer, { shares }) => ({
    num: indicator(predicted === answer) - shares[answer]!,
    den: 1 - shares[answer]!,
  }),
  range: [-1, 1],
  unit: 'number',
  claim: () => ['the agreement beyond chance (kappa) of the predictions with the answers is ', ''],
  pageClaim: () => ['the agreement beyond chance (kappa) of the predictions with the answers lies ', ''],
  plain: () => 'Agreement beyond chance',
  scale: () => 'Kappa: agreement with the answers; 0 as by chance, 1 in full',
} satisfies MetricDefinition
