import { z } from 'zod'
import { metricNames } from '../metrics/catalogue.ts'
import { labelSchema } from './points.ts'

export const metricSchema = z.enum(metricNames)

/** A certificate as in its file. */
export const certificateSchema = z.object({
  format: z.literal('alis-certificate/1'),
  claim: z.string(),
  metric: metricSchema,
  positive: z.string().optional(),
  value: z.number(),
  low: z.number(),
  high: z.number(),
  level: z.number(),
  answers: z.int(),
  unknown: z.int(),
  goal: z.object({ tolerance: z.number().optional(), below: z.number().optional(), budget: z.int().optional() }),
  reached: z.boolean(),
  pool: z.object({ size: z.int(), hash: z.string() }),
  columns: z.object({
    id: z.string().optional(),
    prediction: z.string().optional(),
    confidence: z.string().optional(),
    probabilities: z.array(z.string()).optional(),
    against: z.string().optional(),
  }),
  model: z.string(),
  classes: z.array(z.string()),
  strategy: z.string(),
  seed: z.number(),
  seedChosen: z.boolean(),
  batch: z.int(),
  after: z.int().optional(),
  draws: z.array(z.object({ round: z.int(), order: z.int(), id: z.string(), probability: z.number(), answer: labelSchema })),
  versions: z.object({ alis: z.string() }),
  seal: z.string(),
})
export type CertificateFile = z.infer<typeof certificateSchema>
