/** A key printed on its button: for eyes, as `aria-keyshortcuts` tells the rest. */
export function KeyCap({ children }: { children: string }) {
  return (
    <span className="key-cap" aria-hidden="true">
      <kbd>{children}</kbd>
    </span>
  )
}
