import { z } from 'zod'
import { metricNames } from '../metrics/catalogue.ts'

const names = z.array(z.string().min(1)).max(1_000)
const column = z.string().min(1).max(1_000)

/** What to find out about which columns, and when to stop: as the options of `alis audit`, which say what each means. */
export const auditWishesSchema = z.strictObject({
  prediction: column.exactOptional(),
  confidence: column.exactOptional(),
  probabilities: names.exactOptional(),
  judge: column.exactOptional(),
  score: column.exactOptional(),
  range: z.tuple([z.number(), z.number()]).exactOptional(),
  models: names.exactOptional(),
  within: z.number().gt(0).lt(1).exactOptional(),
  against: column.exactOptional(),
  alone: names.exactOptional(),
  by: names.exactOptional(),
  /** Metrics that are asked of the groups too; all unless said. */
  sliced: names.exactOptional(),
  id: column.exactOptional(),
  show: names.exactOptional(),
  classes: names.exactOptional(),
  metric: z
    .array(
      z
        .string()
        .refine((text) => metricNames.some((name) => name === text.split(':')[0]), 'a metric is required, got another word'),
    )
    .exactOptional(),
  positive: z.string().exactOptional(),
  eachClass: z.boolean().exactOptional(),
  together: z.boolean().exactOptional(),
  tolerance: z.number().gt(0).exactOptional(),
  below: z.number().gt(-1).lt(1).exactOptional(),
  budget: z.int().min(1).exactOptional(),
  /** The goal is that of the first question; the others are told as far as its answers go. */
  first: z.literal(true).exactOptional(),
  level: z.number().gt(0.5).lt(1).default(0.95),
  /** Answers a round: the ranges move after each. */
  batch: z.int().min(1).max(10_000).default(10),
  strategy: z.enum(['alis-audit', 'uniform']).exactOptional(),
})
export type AuditWishes = z.input<typeof auditWishesSchema>

export const priceRequestSchema = z.object({ path: z.string().min(1).max(4_096), audit: auditWishesSchema })

/** About how many answers it takes to know the first thing that is asked, by how well; empty where it is not known. */
export const pricesSchema = z.object({
  points: z.int(),
  /** Answers that the predictions name, or grades that can be given. */
  classes: names,
  prices: z.array(z.object({ tolerance: z.number(), answers: z.int() })),
})
export type Prices = z.infer<typeof pricesSchema>
