import { useEffect } from 'react'
import { count, counted } from '../../text/wording.ts'
import { useServer } from '../api/store.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../parts/Button.tsx'
import { StateCard } from '../parts/StateCard.tsx'
import { labelling } from './labelling.ts'
import { type PageRound, titleOf, unanswered } from './round.ts'

/** Nothing to ask here: all is answered and on its way, or what is left is on other pages. */
export function Rest({ round }: { round: PageRound }) {
  const { unsaved } = useServer()
  const left = unanswered(round).length
  useKeys({ undo: labelling.undo })
  useEffect(() => {
    if (left === 0) return
    const timer = setInterval(labelling.claimAgain, 3_000)
    return () => clearInterval(timer)
  }, [left])
  const [title, lede] =
    left > 0
      ? ['The rest is on other pages.', `${lastWords(left)} open in another window. The round closes when all are answered.`]
      : [
          'All of them are answered.',
          unsaved > 0 ? `${counted(unsaved, 'answer')} on the way to the server.` : 'Waiting for the server.',
        ]
  return (
    <StateCard
      role="status"
      about={titleOf(round)}
      title={title}
      lede={lede}
      actions={(left === 0 || round.history.length > 0) && <Button onClick={labelling.undo}>Undo</Button>}
    />
  )
}

const lastWords = (left: number) => (left === 1 ? 'The last point is' : `The last ${count(left)} points are`)
