import { useEffect, useState } from 'react'
import { Failure } from './failure.ts'

interface Loaded<Value> {
  /** What was received last; it stays until the next is there. */
  readonly value?: Value
  readonly failure?: Failure | undefined
}

/** What the server says, asked for when the component appears and again whenever `key` changes. Without `load`, not asked for. */
export function useLoaded<Value>(load: (() => Promise<Value>) | undefined, key = ''): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({})
  useEffect(() => {
    let isWanted = true
    load?.().then(
      (value) => isWanted && setLoaded({ value }),
      (failure) => {
        if (!(failure instanceof Failure)) throw failure
        if (isWanted) setLoaded((before) => ({ ...before, failure }))
      },
    )
    return () => {
      isWanted = false
    }
  }, [key])
  return loaded
}
