import type { ComponentProps } from 'react'

export type ButtonKind = 'primary' | 'plain' | 'bare'

interface Props extends ComponentProps<'button'> {
  kind?: ButtonKind
  /** The key that does the same, printed on the button; `shortcut` tells it to assistive technology. */
  keyCap?: string | undefined
  shortcut?: string | undefined
}

export function Button({ kind = 'plain', keyCap, shortcut, children, ...rest }: Props) {
  return (
    <button type="button" className={`button ${kind}`} aria-keyshortcuts={shortcut} {...rest}>
      {children}
      {keyCap && <KeyCap>{keyCap}</KeyCap>}
    </button>
  )
}

/** A square button with a picture instead of words: `label` names it. */
export function IconButton({ label, shortcut, className = '', ...rest }: Omit<Props, 'kind' | 'keyCap'> & { label: string }) {
  const names = { 'aria-label': label, title: label, 'aria-keyshortcuts': shortcut }
  return <button type="button" className={`icon-button ${className}`} {...names} {...rest} />
}

/** A key printed on its button: for eyes, as `aria-keyshortcuts` tells the rest. */
export function KeyCap({ children }: { children: string }) {
  return (
    <span className="key-cap" aria-hidden="true">
      <kbd>{children}</kbd>
    </span>
  )
}
