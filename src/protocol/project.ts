import { z } from 'zod'
import { metricNames } from '../metrics/catalogue.ts'
import { nowSchema } from './now.ts'
import { labelSchema, viewSchema } from './points.ts'
import { answersNeededSchema, bestModelSchema, questionSchema } from './questions.ts'
import { closedRoundSchema, measuredSchema, purposeSchema } from './rounds.ts'

/** As many as people can be asked to choose from. */
export const mostClasses = 1_000

/** `key`: empty where there are more classes than keys. */
export const classSchema = z.object({ name: z.string().min(1).max(1_000), key: z.string().max(1) })
export type Class = z.infer<typeof classSchema>

const strategySchema = z.object({
  name: z.string(),
  /** What people choose it by: "Learn fast". */
  title: z.string(),
  summary: z.string(),
  /** Whether it draws at random: without that there is no unbiased estimate. */
  isRandom: z.boolean(),
})
export type Strategy = z.infer<typeof strategySchema>

/** What may change from one round to the next. */
export const planSchema = z.object({
  strategy: z.string(),
  batch: z.int().min(1).max(10_000),
  budget: z.int().min(1).max(1_000_000_000),
})
export type LabellingPlan = z.infer<typeof planSchema>

export const failureSchema = z.object({
  code: z.string(),
  /** `where: what is required, got what` */
  message: z.string(),
  hint: z.string().optional(),
})
export type Failure = z.infer<typeof failureSchema>

/** What the server is doing, or waiting for. */
const phaseSchema = z.discriminatedUnion('kind', [
  /** The pool is being read: after the start of the server. */
  z.object({ kind: z.literal('loading'), share: z.number().nullable() }),
  /** The next round is on its way: learn, score, draw. */
  z.object({
    kind: z.literal('opening'),
    purpose: purposeSchema,
    number: z.int(),
    step: z.enum(['learn', 'score', 'draw']),
    /** Answers learned from, points scored, and how many are drawn. */
    answers: z.int(),
    points: z.int(),
    size: z.int(),
  }),
  /** People are asked. */
  z.object({ kind: z.literal('asking'), purpose: purposeSchema, round: z.int(), number: z.int(), size: z.int() }),
  /** The budget is spent, or every point is answered, or the newest model has a certificate and is not asked to learn on. */
  z.object({ kind: z.literal('done') }),
  /** Something went wrong and nothing is lost; `retry` goes on. */
  z.object({ kind: z.literal('failed'), failure: failureSchema }),
])
export type Phase = z.infer<typeof phaseSchema>

export const goalSchema = z.object({
  tolerance: z.number().gt(0).lt(1).optional(),
  below: z.number().gt(0).lt(1).optional(),
  /** At most so many answers. */
  budget: z.int().min(1).optional(),
  level: z.number().gt(0).lt(1),
})
export type Goal = z.infer<typeof goalSchema>

/** An audit under way, of one frozen model. Metric, steps and forecast are those of the first question. */
const auditSchema = z.object({
  metric: z.enum(metricNames),
  positive: z.string().optional(),
  against: z.string().optional(),
  model: z.string(),
  /** "the model after round 10", or the name of the file of predictions. */
  about: z.string(),
  /** `first`: it is that of the first question; the others are told as far as its answers go. */
  goal: goalSchema.extend({ tolerance: z.number().gt(0).optional(), first: z.literal(true).optional() }),
  answers: z.int(),
  /** Answers of "cannot tell". */
  unknown: z.int(),
  /** The interval after each batch that closed; none while there is nothing to divide by. */
  steps: z.array(measuredSchema.omit({ level: true, isRevised: true })),
  forecast: answersNeededSchema.optional(),
  /** Whether every goal was reached. */
  isReached: z.boolean(),
  /** Everything that is asked; empty until the first batch has closed. */
  questions: z.array(questionSchema.extend({ isReached: z.boolean(), forecast: answersNeededSchema.optional() })),
  /** Where several models are audited for the best: what was asked, and how that stands after the last batch. */
  race: bestModelSchema.pick({ within: true, level: true }).optional(),
  best: bestModelSchema.optional(),
})
export type Audit = z.infer<typeof auditSchema>

/** Metric, value and limits are those of the first question; null where there is nothing to divide by. */
const certificateSummarySchema = z.object({
  seal: z.string(),
  model: z.string(),
  /** The learning round (as people count) that its model was made after; missing for predictions from elsewhere. */
  after: z.int().optional(),
  time: z.string(),
  metric: z.enum(metricNames),
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  level: z.number(),
  answers: z.int(),
  /** Void: answers that it rests on were revised since. */
  isRevised: z.boolean(),
  /** Written by an earlier release, whose certificates this one cannot verify. */
  isEarlier: z.boolean(),
  questions: z.array(questionSchema),
  best: bestModelSchema.optional(),
  /** Who gave the answers it rests on, and how many; missing for one of an earlier release. */
  people: z.array(z.object({ name: z.string(), answers: z.int() })).optional(),
  /** `alis verify FILE --project NAME.alis`, or `--pool FILE` for predictions: does all of it again. */
  verify: z.string().optional(),
})
export type CertificateSummary = z.infer<typeof certificateSummarySchema>

/** Which learner was chosen to fit the model, by how many labels, and what each came to on labels it had not seen. */
const choiceSchema = z.object({
  learner: z.string(),
  labels: z.int(),
  tried: z.array(z.object({ learner: z.string(), error: z.number(), logLoss: z.number() })),
})

/** A project as the page shows it. Small: nothing in it is as long as the pool or the answers. */
export const projectSchema = z.object({
  name: z.string(),
  path: z.string().describe('NAME.alis, as given to the command'),
  pool: z.string().describe('name of the file'),
  points: z.int(),
  features: z.int(),
  question: z.string(),
  guidelines: z.string(),
  classes: z.array(classSchema),
  view: viewSchema,
  /** `audit`: predictions of a model from elsewhere are measured; nothing is learned. */
  purpose: purposeSchema,
  strategy: strategySchema,
  plan: planSchema,
  /** The plan from the next round on, where it was changed. */
  nextPlan: planSchema.optional(),
  phase: phaseSchema,
  /** Answers on record, "cannot tell" included. */
  answers: z.int(),
  byClass: z.array(z.object({ label: labelSchema, answers: z.int() })),
  rounds: z.array(closedRoundSchema),
  /** Missing where nothing is learned. */
  now: nowSchema.optional(),
  /** The newest model, and the round (as people count) it was made after. */
  model: z.object({ id: z.string(), after: z.int(), choice: choiceSchema.optional() }).optional(),
  /** Whether a certificate is about the newest model: it stays as it is until it is to learn on. */
  isCertified: z.boolean(),
  /** About how many answers would certify the newest model, by tolerance. Missing before there is one. */
  forecast: z.array(z.object({ tolerance: z.number(), answers: z.int() })).optional(),
  audit: auditSchema.optional(),
  certificates: z.array(certificateSummarySchema),
})
export type Project = z.infer<typeof projectSchema>

export const stateSchema = z.object({
  version: z.string(),
  /** Who answers where a page says nothing else; then it need not ask. */
  annotator: z.string().optional(),
  /** Missing until a pool was chosen: then the page begins at Start. */
  project: projectSchema.optional(),
  strategies: z.array(strategySchema),
})
export type State = z.infer<typeof stateSchema>

export const forecastRequestSchema = z.object({
  tolerance: z.coerce.number().gt(0).lt(1).optional(),
  below: z.coerce.number().gt(0).lt(1).optional(),
  level: z.coerce.number().gt(0).lt(1),
})
export type ForecastRequest = z.output<typeof forecastRequestSchema>

/** How many answers a goal takes (missing where it looks out of reach), and how the interval is expected to narrow on the way. */
export const forecastSchema = answersNeededSchema.partial().extend({
  /** The error the model itself expects. */
  expected: z.number(),
  curve: z.array(z.object({ answers: z.int(), low: z.number(), high: z.number() })),
})
export type Forecast = z.infer<typeof forecastSchema>
