/** Thrown when an audit has ended, and said all there is to say, without the goal that was set. */
export class NotReached extends Error {
  override readonly name = 'NotReached'

  constructor() {
    super('not reached')
  }
}
