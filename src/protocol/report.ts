import { z } from 'zod'
import { contentSchema } from './points.ts'
import { questionSchema } from './questions.ts'

/** What an audit has found beside what was asked. Of points without an answer nothing is in it: no answer may lean on a prediction. */
export const reportSchema = z.object({
  /** Answers that it rests on. */
  answers: z.int(),
  /** When the first and the last answer came. */
  first: z.string().optional(),
  last: z.string().optional(),
  classes: z.array(z.object({ name: z.string(), predicted: z.int(), precision: questionSchema, recall: questionSchema })),
  /** By class answered, then by class predicted: shares of all points. None where there are many classes. */
  cells: z.array(z.array(questionSchema)),
  /** The groups of a column: their limits hold all together, and with those of the whole. */
  slices: z.array(z.object({ column: z.string(), rows: z.array(questionSchema), whole: questionSchema })),
  /** Predictions that an answer found wrong, as many as are shown. */
  errors: z.array(z.object({ predicted: z.string(), answer: z.string(), content: contentSchema })),
  found: z.int(),
})
export type Report = z.infer<typeof reportSchema>
