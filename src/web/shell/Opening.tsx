import { useServer } from '../api/store.ts'
import { StateCard } from '../parts/StateCard.tsx'
import { useAfter } from '../parts/use-after.ts'

const opening = { title: 'Opening the project' }
const offline = {
  title: 'The server cannot be reached',
  lede: 'Is the command still running? This page goes on by itself when it is back.',
}

/** Blank at first: what takes less than a moment needs no words. */
export function Opening() {
  const { connection } = useServer()
  const isSlow = useAfter(300)
  return (
    <main className="stage-centre">
      {isSlow && <StateCard role="status" {...(connection === 'online' ? opening : offline)} />}
    </main>
  )
}
