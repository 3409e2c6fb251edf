import { z } from 'zod'

/** What was known of the model of a moment, over the points that had no answer then. */
export const lookSchema = z.object({
  model: z.string(),
  /** The learning round (as people count) it was made after, and answers on record by then. */
  after: z.int(),
  answers: z.int(),
  value: z.number().describe('without a guarantee'),
  low: z.number(),
  high: z.number(),
  level: z.number(),
  counted: z.int().describe('answers to random draws that it rests on'),
  points: z.int().describe('without an answer then'),
  /** Whether an answer it rests on was revised since. */
  isRevised: z.boolean(),
})
export type Look = z.infer<typeof lookSchema>

const runningGoalSchema = z.object({
  tolerance: z.number(),
  isReached: z.boolean(),
  /** A guess at how many more answers it takes, learning going on; missing while there is nothing to go by. */
  more: z.object({ low: z.int(), high: z.int() }).optional(),
})
export type RunningGoal = z.infer<typeof runningGoalSchema>

/** How good the model is, from the answers it has learned from. */
export const nowSchema = z.object({
  /** After every round of which something can be said, oldest first. */
  looks: z.array(lookSchema),
  /** The newest model, or answers that were revised, are not in the last look yet. */
  isBehind: z.boolean(),
  goals: z.array(runningGoalSchema),
  /** Seconds between two answers, about. */
  pace: z.number(),
})
export type Now = z.infer<typeof nowSchema>
