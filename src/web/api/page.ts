const name = 'alis:page'

/**
 * The name of this page to the server and to other tabs. A reload keeps it, so that the page finds its own points again;
 * it is passed on only by a page that has left, as a duplicated tab begins with a copy of what a living one remembers.
 */
export const page = passedOn() ?? made()

addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(name, page)
  } catch {
    // Without storage the next page has a name of its own.
  }
})

function passedOn(): string | undefined {
  try {
    const passed = sessionStorage.getItem(name) ?? undefined
    sessionStorage.removeItem(name)
    return passed
  } catch {
    return undefined
  }
}

function made(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join('')
}
