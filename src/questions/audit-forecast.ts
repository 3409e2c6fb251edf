import { estimatorFor } from './estimator.ts'
import type { Strata } from './frame.ts'
import { RecordReader } from './record.ts'
import { rulesFor } from './rules.ts'
import type { QuestionSpec } from './spec.ts'

/** About how many answers an interval of some half-width takes. */
export interface AuditForecast {
  readonly tolerance: number
  readonly answers: number
}

/** Before the first answer, as far as confidences tell: about how many answers until all questions are this narrow. Missing: it is not known. */
export function forecastsFor(
  strata: Strata,
  questions: readonly QuestionSpec[],
  tolerances: readonly number[],
): readonly AuditForecast[] {
  return tolerances.flatMap((tolerance) => {
    const reader = new RecordReader(strata)
    const estimators = questions.map((question) => estimatorFor(question, strata, { tables: reader.tables(question) }))
    reader.follow(estimators)
    reader.begin(rulesFor(reader, { estimators }, { tolerance }))
    const needed = estimators.flatMap((estimator) => estimator.forecast(tolerance)?.answers ?? [])
    return needed.length > 0 ? [{ tolerance, answers: Math.max(...needed) }] : []
  })
}
