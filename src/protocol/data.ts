import { z } from 'zod'
import { contentSchema, labelSchema } from './points.ts'
import { purposeSchema } from './rounds.ts'

export const pageRequestSchema = z.object({
  search: z.string().max(1_000).default(''),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
/** Whose predictions: of the certified model, or of the newest. The certified one if left out and there is one. */
export const modelChoiceSchema = z.enum(['certified', 'newest'])
export type ModelChoice = z.infer<typeof modelChoiceSchema>

export const predictionRequestSchema = pageRequestSchema.extend({ model: modelChoiceSchema.optional() })
export type PredictionQuery = z.output<typeof predictionRequestSchema>
export type PredictionRequest = z.input<typeof predictionRequestSchema>
export type PageRequest = z.input<typeof pageRequestSchema>
export type PageQuery = z.output<typeof pageRequestSchema>

/** An answer on record, newest first. */
const answerRowSchema = z.object({
  content: contentSchema,
  label: labelSchema,
  round: z.int(),
  number: z.int(),
  purpose: purposeSchema,
  isOpen: z.boolean(),
  order: z.int(),
  probability: z.number(),
  /** Missing until its round closes, and where it has none. */
  weight: z.number().optional(),
  annotator: z.string(),
  time: z.string(),
  isRevised: z.boolean(),
})
export type AnswerRow = z.infer<typeof answerRowSchema>

/** A page of rows: of how many that were found, of how many there are. */
const pageOf = <Row extends z.ZodType>(row: Row) => z.object({ rows: z.array(row), found: z.int(), of: z.int() })

export const answerPageSchema = pageOf(answerRowSchema)
export type AnswerPage = z.infer<typeof answerPageSchema>

const predictionRowSchema = z.object({
  content: contentSchema,
  prediction: z.string(),
  /** Missing where a person answered. */
  confidence: z.number().optional(),
  /** In an audit: what a person said. Only points that were answered are shown there. */
  answer: labelSchema.optional(),
  source: z.enum(['person', 'model']),
})
export type PredictionRow = z.infer<typeof predictionRowSchema>

/** Points drawn and not answered yet are hidden, in an audit all without an answer: no answer may lean on a prediction. */
export const predictionPageSchema = pageOf(predictionRowSchema).extend({
  hidden: z.int(),
  /** The model after this round, as people count. */
  after: z.int(),
  /** The seal of the certificate that is about this model; missing where none is. */
  certificate: z.string().optional(),
})
export type PredictionPage = z.infer<typeof predictionPageSchema>

export const exportRequestSchema = z.object({ format: z.enum(['csv', 'jsonl', 'parquet']), model: modelChoiceSchema.optional() })
export type ExportRequest = z.infer<typeof exportRequestSchema>
export const exportedSchema = z.object({
  folder: z.string(),
  files: z.array(z.object({ file: z.string(), rows: z.int().optional() })),
  /** Which model they are of. */
  model: z.object({ id: z.string(), after: z.int(), certificate: z.string().nullable(), isNewest: z.boolean() }).optional(),
})
export type Exported = z.infer<typeof exportedSchema>
