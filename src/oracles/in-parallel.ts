type Outcome<R> = { readonly value: R } | { readonly error: unknown }

/**
 * Works on a few items at once and yields each result as it comes. After a failure it begins nothing new, tells `failed`, yields
 * what else was under way, and then throws.
 */
export async function* inParallel<T, R>(
  items: AsyncIterator<T>,
  { width, work, failed }: { readonly width: number; work(item: T): Promise<R>; failed(error: unknown): void },
): AsyncGenerator<R, void> {
  const running = new Set<Promise<Outcome<R>>>()
  const first = async (): Promise<Outcome<R>> => {
    const { promise, outcome } = await Promise.race([...running].map(async (promise) => ({ promise, outcome: await promise })))
    running.delete(promise)
    return outcome
  }
  const failures: unknown[] = []
  for (let isDry = false; ; ) {
    while (!isDry && running.size < width && failures.length === 0) {
      const { done, value } = await items.next()
      if (done) isDry = true
      else running.add(work(value).then(success, failure))
    }
    if (running.size === 0) break
    const outcome = await first()
    if ('value' in outcome) yield outcome.value
    else if (failures.push(outcome.error) === 1) failed(outcome.error)
  }
  if (failures.length > 0) throw failures[0]
}

const success = <R>(value: R) => ({ value })
const failure = (error: unknown) => ({ error })
