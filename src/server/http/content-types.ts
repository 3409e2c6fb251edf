import { getMimeType, mimes } from 'hono/utils/mime'

const types = { ...mimes, svg: 'image/svg+xml' } // of any encoding: XML says its own

/** The media type of a file by its name. */
export const contentTypeOf = (name: string): string => getMimeType(name, types) ?? 'application/octet-stream'
