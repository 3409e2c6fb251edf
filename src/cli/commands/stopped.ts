/** Thrown when Ctrl-C ends the page: says how to go on. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  /** The command that goes on, if anything was begun. */
  readonly again: readonly string[] | undefined

  constructor(again: readonly string[] | undefined) {
    super('stopped')
    this.again = again
  }
}
