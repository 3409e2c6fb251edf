/** The m smallest keys seen so far, each with its index: a heap with the largest of them on top. One pass, any order, mergeable. */
export function smallest(size: number) {
  const keys = new Float64Array(size)
  const indices = new Float64Array(size)
  let count = 0

  const comesAfter = (a: number, b: number) => keys[a]! > keys[b]! || (keys[a]! === keys[b]! && indices[a]! > indices[b]!)
  const swap = (a: number, b: number) => {
    ;[keys[a], keys[b]] = [keys[b]!, keys[a]!]
    ;[indices[a], indices[b]] = [indices[b]!, indices[a]!]
  }
  const rise = (at: number) => {
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!comesAfter(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }
  const sink = (at: number) => {
    for (;;) {
      let last = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < count && comesAfter(child, last)) last = child
      if (last === at) return
      swap(at, last)
      at = last
    }
  }

  return {
    /** Offers a key. Returns the index that will not be among the smallest: the offered one, an earlier one, or −1 while there is room. */
    offer(key: number, index: number): number {
      if (count < size) {
        keys[count] = key
        indices[count] = index
        rise(count++)
        return -1
      }
      if (size === 0 || key > keys[0]! || (key === keys[0] && index > indices[0]!)) return index
      const out = indices[0]!
      keys[0] = key
      indices[0] = index
      sink(0)
      return out
    },
    /** Keys above this cannot get in any more. */
    limit: (): number => (count < size ? Number.POSITIVE_INFINITY : size === 0 ? Number.NEGATIVE_INFINITY : keys[0]!),
    /** The indices kept, smallest key first; equal keys by index. */
    sorted(): number[] {
      const slots = Array.from({ length: count }, (_, slot) => slot)
      return slots.sort((a, b) => (comesAfter(a, b) ? 1 : -1)).map((slot) => indices[slot]!)
    },
  }
}
