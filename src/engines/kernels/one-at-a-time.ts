/** Does one thing after the other, whatever comes of each. */
export function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    next<T>(work: () => Promise<T>): Promise<T> {
      const mine = last.then(work)
      last = mine.catch(() => {})
      return mine
    },
    done: (): Promise<unknown> => last,
  }
}
