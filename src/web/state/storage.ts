/** What the browser keeps under a name: `local` for all tabs, `session` for this one. Where storage is full or forbidden, nothing. */
export function stored(kind: 'local' | 'session', name: string) {
  const storage = () => (kind === 'local' ? localStorage : sessionStorage) // to name it can throw already
  return {
    read(): string | undefined {
      try {
        return storage().getItem(name) ?? undefined
      } catch {
        return undefined
      }
    },
    /** Keeps a text; without one, forgets what was kept. */
    write(text?: string): void {
      try {
        if (text === undefined) storage().removeItem(name)
        else storage().setItem(name, text)
      } catch {
        // It lasts as long as the page.
      }
    },
  }
}
