const patience = 60_000 // ms that a claim holds for a page that is not listening
const mostPages = 1_000 // that hold points at a time: names of pages cost whoever makes them up nothing

interface Claim {
  readonly ids: readonly string[]
  readonly time: number
}

/** Which page shows which points of the open round: no two pages the same. */
export function pointClaims({ isListening, now = Date.now }: { isListening(page: string): boolean; now?: () => number }) {
  const claims = new Map<string, Claim>()
  const holders = new Map<string, string>() // by point

  const isValid = (page: string, { time }: Claim) => isListening(page) || now() - time < patience

  function isHeldElsewhere(id: string, page: string | undefined): boolean {
    const holder = holders.get(id)
    return holder !== undefined && holder !== page && isValid(holder, claims.get(holder)!)
  }

  /** Whether it held anything. */
  function release(page: string): boolean {
    const held = claims.get(page)?.ids ?? []
    claims.delete(page)
    for (const id of held) if (holders.get(id) === page) holders.delete(id)
    return held.length > 0
  }

  /** Room for one more: the page goes that claimed longest ago, of those that are not listening if there is one. */
  function makeRoom(): void {
    if (claims.size < mostPages) return
    const oldest = [...claims.keys()]
    release(oldest.find((page) => !isListening(page)) ?? oldest[0]!)
  }

  return {
    isHeldElsewhere,
    release,
    /** Replaces what a page held; returns what it holds now. */
    claim(page: string, ids: readonly string[]): string[] {
      release(page)
      const granted = ids.filter((id) => !isHeldElsewhere(id, page))
      makeRoom()
      claims.set(page, { ids: granted, time: now() })
      for (const id of granted) holders.set(id, page)
      return granted
    },
    clear(): void {
      claims.clear()
      holders.clear()
    },
  }
}
