import type { Forecast } from '../certificates/forecast.ts'
import type { QuestionTotals } from '../certificates/question.ts'
import { metrics } from '../metrics/catalogue.ts'
import type { AskedAnswer, AskOptions } from './ask.ts'
import type { Strata } from './frame.ts'
import type { OpenQuestion } from './masses.ts'
import { MeanEstimator } from './mean-estimator.ts'
import { RatioEstimator } from './ratio-estimator.ts'
import type { QuestionReader } from './record.ts'
import { inPool, type QuestionSpec } from './spec.ts'
import { type QuestionTables, tablesFor } from './tables.ts'

/** The interval of a question as a record is read. */
export interface QuestionEstimator extends QuestionReader {
  readonly question: QuestionSpec
  readonly tables: readonly QuestionTables[]
  /** The question as masses see it, under beliefs that give these totals of its tables. */
  wanted(totals: readonly QuestionTotals[], tolerance?: number): readonly OpenQuestion[]
  answer(): AskedAnswer
  /** About how many more answers until the half-width is this; missing where nothing can be said. */
  forecast(tolerance: number): Forecast | undefined
}

export interface EstimatorOptions extends AskOptions {
  /** Of the question over the strata, if the caller has them already. */
  readonly tables?: readonly QuestionTables[]
}

/** Makes ready to follow a record for a question. */
export function estimatorFor(
  spec: QuestionSpec,
  strata: Strata,
  { tables, ...options }: EstimatorOptions = {},
): QuestionEstimator {
  const question = inPool(spec, strata.poolSize)
  const own = tables ?? tablesFor(question, strata)
  return metrics[question.metric].meanOver
    ? new MeanEstimator(question, own, strata, options)
    : new RatioEstimator(question, own, strata, options)
}
