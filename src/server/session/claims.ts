const patience = 60_000 // ms that a claim holds for a page that is not listening

interface Claim {
  readonly ids: ReadonlySet<string>
  readonly time: number
}

/** Which page shows which points of the open round: no two pages the same. */
export function pointClaims({ isListening, now = Date.now }: { isListening(page: string): boolean; now?: () => number }) {
  const claims = new Map<string, Claim>()

  const isValid = (page: string, { time }: Claim) => isListening(page) || now() - time < patience

  function isHeldElsewhere(id: string, page: string | undefined): boolean {
    return [...claims].some(([other, claim]) => other !== page && claim.ids.has(id) && isValid(other, claim))
  }

  return {
    isHeldElsewhere,
    /** Replaces what a page held; returns what it holds now. */
    claim(page: string, ids: readonly string[]): string[] {
      const granted = ids.filter((id) => !isHeldElsewhere(id, page))
      claims.set(page, { ids: new Set(granted), time: now() })
      return granted
    },
    /** Whether it held anything. */
    release(page: string): boolean {
      const held = claims.get(page)
      claims.delete(page)
      return (held?.ids.size ?? 0) > 0
    },
    clear: () => claims.clear(),
  }
}
