import { z } from 'zod'
import { contentSchema, labelSchema } from './points.ts'

/** The name that a page makes up for itself when it is opened. */
export const pageName = z.string().min(1).max(100)

/** Who answers, as it stands beside every answer. */
export const annotatorName = z.string().trim().min(1).max(100)

/** Why points were drawn: to learn from, or to measure a model. */
export const purposeSchema = z.enum(['learn', 'audit'])

/** One point of the open round. Drawn twice, it is here once. */
const drawnPointSchema = z.object({
  id: z.string(),
  /** 1 for the first draw of the round. */
  order: z.int(),
  content: contentSchema,
  answer: z.object({ label: labelSchema }).optional(),
  /** Whether another page is showing this point now. */
  isElsewhere: z.boolean(),
})

/** The open round, all of it, in draw order: nothing more is asked of the server between its points. */
export const openRoundSchema = z.object({
  round: z.int().describe('on record, counted from 0 over learning and auditing'),
  number: z.int().describe('as people count: 1 for the first of its purpose'),
  purpose: purposeSchema,
  before: z.int().describe('answers that people had given when it was opened'),
  points: z.array(drawnPointSchema),
})
export type OpenRound = z.infer<typeof openRoundSchema>

export const answerSchema = z.object({
  label: labelSchema,
  page: pageName,
  /** Left out, the annotator that the command names. */
  annotator: annotatorName.optional(),
  /** Wanted for a round that is closed: then this is a new fact beside the old one. */
  isRevision: z.boolean().optional(),
})
export type GivenAnswer = z.infer<typeof answerSchema>

/** On disk: it survives whatever happens next. */
export const savedSchema = z.object({ answered: z.int(), of: z.int(), isClosed: z.boolean() })
export type Saved = z.infer<typeof savedSchema>

/** A page says which points it is about to show, a few ahead; those held by another page are not granted. */
export const claimSchema = z.object({
  page: pageName,
  ids: z.array(z.string()).max(100),
  /** The point in front of a person now. */
  seen: z.string().optional(),
})
export const grantSchema = z.object({ granted: z.array(z.string()) })
export type Claim = z.infer<typeof claimSchema>
export type Grant = z.infer<typeof grantSchema>

/** A value that answers measured, with its interval. */
export const measuredSchema = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  level: z.number(),
  answers: z.int(),
  /** Whether one of these answers was revised since. */
  isRevised: z.boolean(),
})

/** What the fresh answers of a round said about the model before it learned from them. */
const estimateSchema = measuredSchema.extend({ low: z.number().nullable(), high: z.number().nullable() })
export type Estimate = z.infer<typeof estimateSchema>

/** A closed learning round, for the plots. */
export const closedRoundSchema = z.object({
  round: z.int(),
  number: z.int(),
  strategy: z.string(),
  answers: z.int(),
  /** Answers the model of this round had learned from. 0: there was no model yet, and there is no estimate. */
  learnedFrom: z.int(),
  estimate: estimateSchema.optional(),
  weights: z
    .object({
      /** What each answer counts for, at mean 1: how many lie below 1/4, 1/2, 1, 2, 4 and above. */
      counts: z.array(z.int()).length(6),
      largest: z.number(),
      /** For the least likely point of the round, where a share of every draw is uniform; missing where none is. */
      largestPossible: z.number().optional(),
      effectiveSize: z.number(),
    })
    .optional(),
})
export type ClosedRound = z.infer<typeof closedRoundSchema>
