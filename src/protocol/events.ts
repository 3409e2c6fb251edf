import { z } from 'zod'
import { labelSchema } from './points.ts'
import { projectSchema } from './project.ts'

/** What the server tells every page as it happens. */
export const eventSchema = z.discriminatedUnion('type', [
  /** The project changed: a round opened or closed, a step of the work was done, a plan was changed. */
  z.object({ type: z.literal('project'), project: projectSchema }),
  /** A point of the open round was answered on some page, or its answer was taken back (`label` missing). */
  z.object({
    type: z.literal('answer'),
    round: z.int(),
    id: z.string(),
    label: labelSchema.optional(),
    page: z.string(),
  }),
  /** Who is showing what: a page holds these points of the open round now, and no others. */
  z.object({ type: z.literal('claim'), round: z.int(), page: z.string(), ids: z.array(z.string()) }),
])
export type Event = z.infer<typeof eventSchema>
