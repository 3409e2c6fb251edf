/** Rows fetched and shown at a time: however long the list is, the page holds this many. */
export const pageSize = 50

interface PageFrame {
  /** As people count, from 1; 0 where nothing was found. */
  readonly first: number
  readonly last: number
  /** Where the neighbouring pages begin. */
  readonly previous?: number
  readonly next?: number
}

/** Which rows of `found` are shown from `offset` on, and what lies to either side. */
export function frameAt(offset: number, found: number, size = pageSize): PageFrame {
  const start = startWithin(offset, found, size)
  return {
    first: found === 0 ? 0 : start + 1,
    last: Math.min(start + size, found),
    ...(start > 0 && { previous: Math.max(0, start - size) }),
    ...(start + size < found && { next: start + size }),
  }
}

/** The start of the last page, where a list has become shorter than where one was. */
export function startWithin(offset: number, found: number, size = pageSize): number {
  return offset < found ? offset : Math.max(0, Math.ceil(found / size) - 1) * size
}
