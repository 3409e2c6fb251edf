import { useEffect, useState } from 'react'
import { Failure } from './client.ts'

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

interface Attempt {
  readonly isBusy: boolean
  /** Why the last attempt failed; gone when the next one begins. */
  readonly failure: Failure | undefined
  /** Runs a task that asks the server for something, and says whether it was granted. */
  readonly attempt: (task: () => Promise<unknown>) => Promise<boolean>
}

/** Requests that a button sends, one at a time; a failure is shown beside the button. */
export function useAttempt(): Attempt {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  async function attempt(task: () => Promise<unknown>): Promise<boolean> {
    setFailure(undefined)
    setIsBusy(true)
    try {
      await task()
      return true
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      setFailure(error)
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, failure, attempt }
}
