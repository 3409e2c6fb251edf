/** Works with something that is open, and closes it whatever comes of the work. */
export async function closing<T extends { close(): Promise<void> }, R>(
  opening: Promise<T>,
  work: (open: T) => Promise<R>,
): Promise<R> {
  const open = await opening
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}
