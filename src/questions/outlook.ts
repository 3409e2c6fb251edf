import type { Strata } from './frame.ts'
import { inquire } from './inquiry.ts'
import { RecordReader } from './record.ts'
import { rulesFor } from './rules.ts'
import type { QuestionSpec } from './spec.ts'

/** About how many answers an interval of some half-width takes. */
export interface Outlook {
  readonly tolerance: number
  readonly answers: number
}

/** Before the first answer, as far as confidences tell: about how many answers until all questions are this narrow. Missing: nobody can say. */
export function outlookFor(
  strata: Strata,
  questions: readonly QuestionSpec[],
  tolerances: readonly number[],
): readonly Outlook[] {
  return tolerances.flatMap((tolerance) => {
    const reader = new RecordReader(strata)
    const inquiries = questions.map((question) => inquire(question, strata, { tables: reader.tables(question) }))
    reader.follow(inquiries)
    reader.begin(rulesFor(reader, { inquiries }, { tolerance }))
    const needed = inquiries.flatMap((inquiry) => inquiry.forecast(tolerance)?.answers ?? [])
    return needed.length > 0 ? [{ tolerance, answers: Math.max(...needed) }] : []
  })
}
