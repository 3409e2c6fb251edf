import { z } from 'zod'

/** What follows in an address: good for one page. */
export const codeSchema = z.object({ code: z.string().max(100) })

/** What a page sends with every request. */
export const secretSchema = z.object({ secret: z.string() })
