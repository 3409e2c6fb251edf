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
  useKeys({ undo: labelling.undo })
  return round.answers.size < round.points.length ? <Waiting round={round} /> : <Saving round={round} />
}

/** Everything is answered here, and the server has not said so yet. */
function Saving({ round }: { round: PageRound }) {
  const { unsaved } = useServer()
  return (
    <StateCard
      role="status"
      about={titleOf(round)}
      title="All of them are answered."
      lede={unsaved > 0 ? `${counted(unsaved, 'answer')} on the way to the server.` : 'Waiting for the server.'}
      actions={<Button onClick={labelling.undo}>Undo</Button>}
    />
  )
}

/** What is left is being shown on other pages. */
function Waiting({ round }: { round: PageRound }) {
  const left = unanswered(round).length
  useEffect(() => {
    const timer = setInterval(labelling.claimAgain, 3_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <StateCard
      role="status"
      about={titleOf(round)}
      title="The rest is on other pages."
      lede={`${left === 1 ? 'The last point is' : `The last ${count(left)} points are`} open in another window. The round closes when all are answered.`}
      actions={round.history.length > 0 && <Button onClick={labelling.undo}>Undo</Button>}
    />
  )
}
