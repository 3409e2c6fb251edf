import { useState } from 'react'
import { Failure } from './failure.ts'

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
