/** The part of `AbortSignal` we read, so that the pure zones need neither Node nor a browser. */
export interface Signal {
  readonly aborted: boolean
  throwIfAborted(): void
}
