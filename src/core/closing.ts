interface Closable {
  close(): Promise<void> | void
}

/** Works with something that is open, and closes it whatever comes of the work. */
export async function closing<T extends Closable, R>(opening: T | Promise<T>, work: (open: T) => Promise<R>): Promise<R> {
  const open = await opening
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

/** Makes something of what is open and stays so; closes it if that fails. */
export async function orClosed<T extends Closable, R>(open: T, make: (open: T) => R | Promise<R>): Promise<R> {
  try {
    return await make(open)
  } catch (error) {
    await open.close()
    throw error
  }
}
