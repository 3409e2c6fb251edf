import { type ReactNode, useRef } from 'react'
import { Button } from '../parts/Button.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { PrimaryLink } from '../shell/routes.tsx'
import { words } from '../text/data.ts'
import { frameAt } from './paging.ts'
import type { List } from './use-list.ts'

interface Props {
  list: List<{ found: number }>
  kind: 'answer' | 'prediction'
  search: string
  /** Said instead of an empty table, where nothing was searched for. */
  none: string
  children: ReactNode
}

/** A table with its pages; or why there is none. */
export function ListCard({ list, kind, search, none, children }: Props) {
  const { page, failure, offset, goTo, again } = list
  const card = useRef<HTMLDivElement>(null)
  function turnTo(start: number) {
    goTo(start)
    card.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <>
      {failure && (
        <div className="stack data-failure">
          <FailureNote failure={failure} />
          <Button onClick={again}>{words.again}</Button>
        </div>
      )}
      {page?.found === 0 && (
        <div className="card data-empty">
          <p>{search === '' ? none : words.noMatch(kind, search)}</p>
          {search === '' && <PrimaryLink to="/label">{words.label}</PrimaryLink>}
        </div>
      )}
      {page && page.found > 0 && (
        <div className="card data-card" ref={card}>
          {children}
          <Pager offset={offset} found={page.found} onTurn={turnTo} />
        </div>
      )}
    </>
  )
}

function Pager({ offset, found, onTurn }: { offset: number; found: number; onTurn: (start: number) => void }) {
  const { first, last, previous, next } = frameAt(offset, found)
  return (
    <nav className="data-pager" aria-label={words.pages}>
      <p className="small faint" role="status">
        {words.frame(first, last, found)}
      </p>
      {(previous ?? next) !== undefined && (
        <>
          <Button kind="bare" disabled={previous === undefined} onClick={() => onTurn(previous ?? 0)}>
            {words.previous}
          </Button>
          <Button kind="bare" disabled={next === undefined} onClick={() => onTurn(next ?? offset)}>
            {words.next}
          </Button>
        </>
      )}
    </nav>
  )
}
