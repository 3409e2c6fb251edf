import { stored } from '../state/storage.ts'

const kept = stored('session', 'alis:page')

/**
 * The name of this page to the server and to other tabs. A reload keeps it, so that the page finds its own points again;
 * it is passed on only by a page that has left, as a duplicated tab begins with a copy of what a living one remembers.
 */
export const page = kept.read() ?? made()

kept.write()
addEventListener('pagehide', () => kept.write(page))

function made(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join('')
}
