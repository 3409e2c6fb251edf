import { useEffect } from 'react'
import { type PageRound, upcoming } from './round.ts'

/** Fetches the pictures of the next points, so that none is waited for when its turn comes. */
export function usePictures(round: PageRound | undefined): void {
  useEffect(() => {
    if (!round) return
    const next = new Set(upcoming(round, 6))
    for (const { id, content } of round.points) if (next.has(id) && content.image) new Image().src = content.image
  }, [round])
}
