import { z } from 'zod'
import type { IntervalState } from '../certificates/question-interval.ts'
import { metricNames } from '../metrics/catalogue.ts'

const states = [
  'defined',
  'if any',
  'undefined',
  'known',
  'contradiction',
] as const satisfies readonly IntervalState[] as readonly IntervalState[]

/** About how many answers it takes to reach a goal. */
export const answersNeededSchema = z.object({ answers: z.int(), low: z.int(), high: z.int() })

/** Something that was asked, and what the answers say of it. Numbers are null where there is nothing to divide by. */
export const questionSchema = z.object({
  label: z.string().describe('"recall of spam where region = north"'),
  metric: z.enum(metricNames),
  positive: z.string().optional(),
  actual: z.string().optional(),
  slice: z.object({ column: z.string(), value: z.string() }).optional(),
  against: z.string().optional(),
  level: z.number(),
  state: z.enum(states),
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Those that counted: to points whose answer matters to it. */
  answers: z.int(),
  /** Points that it is about. */
  points: z.int(),
  /** `if any`: how many points there are at the most to divide by. */
  atMost: z.int().optional(),
})
export type AskedQuestion = z.infer<typeof questionSchema>

/** Which of several models is the best. */
export const bestModelSchema = z.object({
  /** The one that is proven to be, or to be as good but for `within`; null while none is. */
  model: z.string().nullable(),
  within: z.number(),
  level: z.number(),
  /** The one that looks best. */
  leader: z.string(),
  /** Those that are proven not to be. */
  out: z.array(z.string()),
  /** All of them. */
  models: z.array(z.string()),
})
export type BestOfModels = z.infer<typeof bestModelSchema>
