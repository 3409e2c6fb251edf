import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'

/** Goes to a view without loading the page again. */
export function navigate(path: string, how: 'push' | 'replace' = 'push'): void {
  if (path === location.pathname + location.search) return
  if (how === 'push') history.pushState(null, '', path)
  else history.replaceState(null, '', path)
  scrollTo(0, 0)
  dispatchEvent(new PopStateEvent('popstate')) // what the browser does for its own buttons
}

export const certificatePath = (seal: string) => `/certify/${encodeURIComponent(seal)}`

/** The path now, without what follows `?`. */
export function usePath(): string {
  return useSyncExternalStore(watchPath, () => location.pathname)
}

/** The value of `?name=` now. */
export function useParameter(name: string): string | undefined {
  return useSyncExternalStore(watchPath, () => new URLSearchParams(location.search).get(name) ?? undefined)
}

function watchPath(watcher: () => void): () => void {
  addEventListener('popstate', watcher)
  return () => removeEventListener('popstate', watcher)
}

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string
}

/** A link to a view: opens in place, or in a new tab where people ask the browser for one. */
export function Link({ to, onClick, ...rest }: Props) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return <a href={to} onClick={follow} {...rest} />
}

/** The one thing to do next, where that is another view. */
export function PrimaryLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="button primary" to={to}>
      {children}
    </Link>
  )
}
