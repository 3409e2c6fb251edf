import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { KeyCap } from './KeyCap.tsx'

export type ButtonKind = 'primary' | 'plain' | 'bare'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind
  /** The key that does the same, printed on the button; `shortcut` tells it to assistive technology. */
  keyCap?: string | undefined
  shortcut?: string | undefined
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

export function Button({ kind = 'plain', keyCap, shortcut, className = '', children, ...rest }: Props) {
  return (
    <button type="button" className={`button ${kind} ${className}`} aria-keyshortcuts={shortcut} {...rest}>
      {children}
      {keyCap && <KeyCap>{keyCap}</KeyCap>}
    </button>
  )
}

/** A square button with a picture instead of words: `label` names it. */
export function IconButton({
  label,
  shortcut,
  className = '',
  children,
  ...rest
}: Omit<Props, 'kind' | 'keyCap'> & { label: string }) {
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      title={label}
      aria-keyshortcuts={shortcut}
      {...rest}
    >
      {children}
    </button>
  )
}
