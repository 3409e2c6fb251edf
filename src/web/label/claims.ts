import { api } from '../api/client.ts'
import { Failure } from '../api/failure.ts'
import { page } from '../api/page.ts'
import { serverNow } from '../api/store.ts'
import { type PageRound, unanswered, upcoming } from './round.ts'

/** The point shown and the next two. */
const ahead = 3

/** What one page tells the server it is showing: one request at a time, and only when it changed. */
export function createClaims(onGranted: (asked: readonly string[], granted: readonly string[]) => void) {
  let claimed = ''
  let wanted: PageRound | undefined
  let isClaiming = false

  async function claimWanted(): Promise<void> {
    for (let round = wanted; round; round = wanted) {
      wanted = undefined
      const ids = claimable(round)
      const name = `${round.round} ${ids.join(' ')}`
      if (name === claimed || ids.length === 0 || serverNow().connection === 'offline') continue
      claimed = name
      const granted = await grantOf(round.round, ids)
      if (granted) onGranted(ids, granted)
      else claimed = ''
    }
  }

  return {
    /** Claims what the round shows next; resolves when that is settled. */
    async claim(round: PageRound): Promise<void> {
      wanted = round
      if (isClaiming) return
      isClaiming = true
      await claimWanted()
      isClaiming = false
    },
    /** Forgets what was claimed: the server may have, too. */
    forget(): void {
      claimed = ''
    },
  }
}

/** Where all that is left is with others: that, in case they have gone. */
function claimable(round: PageRound): string[] {
  const ids = upcoming(round, ahead)
  return ids.length > 0 ? ids : unanswered(round).slice(0, ahead)
}

/** Nothing where the server cannot be asked: then the page goes on with what it has. */
async function grantOf(round: number, ids: readonly string[]): Promise<readonly string[] | undefined> {
  try {
    return (await api.claim(round, { page, ids: [...ids] })).granted
  } catch (failure) {
    if (failure instanceof Failure) return undefined
    throw failure
  }
}
