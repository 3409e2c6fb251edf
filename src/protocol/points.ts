import { z } from 'zod'

/** A class's name, or null for "cannot tell". */
export const labelSchema = z.string().max(1_000).nullable()
export type Label = z.infer<typeof labelSchema>

/** How points are shown, the same for all of a project. */
export const viewSchema = z.discriminatedUnion('kind', [
  /** Columns that are the cells of a picture, row by row. */
  z.object({ kind: z.literal('bitmap'), width: z.int(), height: z.int() }),
  /** One column of prose; `heads`: shorter ones that stand above it. */
  z.object({ kind: z.literal('text'), column: z.string(), heads: z.array(z.string()).optional() }),
  /** One column of pictures: paths beside the pool, or data URLs. */
  z.object({ kind: z.literal('image'), column: z.string() }),
  /** Columns by name. */
  z.object({ kind: z.literal('row') }),
])
export type View = z.infer<typeof viewSchema>

/** What a person sees of a point. Text is shown as text and never read as anything else. */
export const contentSchema = z.object({
  id: z.string(),
  /** As written in the file; for a bitmap, left out. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  /** For a bitmap: ink of each cell, 0 to 1, row by row. */
  cells: z.array(z.number()).optional(),
  /** For an image: where the browser gets it, of this server or a data URL. Missing where the cell is empty or names no picture. */
  image: z.string().optional(),
})
export type Content = z.infer<typeof contentSchema>
