import type { Forecast } from '../certificates/forecast.ts'
import type { QuestionTotals } from '../certificates/question.ts'
import { metrics } from '../metrics/catalogue.ts'
import type { AskedAnswer, AskOptions } from './ask.ts'
import type { Strata } from './frame.ts'
import type { OpenQuestion } from './masses.ts'
import { MeanInquiry } from './mean-inquiry.ts'
import { RatioInquiry } from './ratio-inquiry.ts'
import type { QuestionReader } from './record.ts'
import { inPool, type QuestionSpec } from './spec.ts'
import { type QuestionTables, tablesFor } from './tables.ts'

/** The interval of a question as a record is read. */
export interface Inquiry extends QuestionReader {
  readonly question: QuestionSpec
  readonly tables: readonly QuestionTables[]
  /** The question as masses see it, under beliefs that give these totals of its tables. */
  wanted(totals: readonly QuestionTotals[], tolerance?: number): readonly OpenQuestion[]
  answer(): AskedAnswer
  /** About how many more answers until the half-width is this; missing where nothing can be said. */
  forecast(tolerance: number): Forecast | undefined
}

export interface InquiryOptions extends AskOptions {
  /** Of the question over the strata, if the caller has them already. */
  readonly tables?: readonly QuestionTables[]
}

/** Makes ready to follow a record for a question. */
export function inquire(spec: QuestionSpec, strata: Strata, { tables, together }: InquiryOptions = {}): Inquiry {
  const question = inPool(spec, strata.poolSize)
  const own = tables ?? tablesFor(question, strata)
  const options = together === undefined ? {} : { together }
  return metrics[question.metric].meanOver
    ? new MeanInquiry(question, own, strata, options)
    : new RatioInquiry(question, own, strata, options)
}
