import { useEffect, useState } from 'react'
import type { PageRequest } from '../../protocol/data.ts'
import type { Failure } from '../api/client.ts'
import { listen } from '../api/store.ts'
import { useLoaded } from '../api/use-requests.ts'
import { pageSize, startWithin } from './paging.ts'

export interface List<Page> {
  /** The rows last received; they stay until the next ones are there. */
  readonly page: Page | undefined
  readonly failure: Failure | undefined
  readonly offset: number
  readonly goTo: (offset: number) => void
  /** Asks again for the same rows. */
  readonly again: () => void
}

/** A long list of which the browser holds one page. A new search begins at its first page; a new `version` asks anew. */
export function useList<Page extends { found: number }>(
  load: (request: PageRequest) => Promise<Page>,
  search: string,
  version: string,
): List<Page> {
  const [place, setPlace] = useState({ search, offset: 0 })
  const [turn, setTurn] = useState(0)
  const again = () => setTurn((now) => now + 1)
  const offset = place.search === search ? place.offset : 0
  const goTo = (start: number) => setPlace({ search, offset: start })
  const request = { search, offset, limit: pageSize }
  const { value: page, failure } = useLoaded(() => load(request), `${JSON.stringify(request)} ${version} ${turn}`)

  useEffect(() => {
    const start = page ? startWithin(offset, page.found) : offset
    if (start !== offset) goTo(start)
  }, [page])

  // Answers given on any page change what is listed.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = listen((event) => {
      if (event.type !== 'answer') return
      clearTimeout(timer)
      timer = setTimeout(again, 500)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])

  return { page, failure, offset, goTo, again }
}
