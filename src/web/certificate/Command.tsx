import { useState } from 'react'
import { Button } from '../parts/Button.tsx'

/** A command to run elsewhere, and a button that copies it. */
export function Command({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)

  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }

  return (
    <div className="sheet-command">
      <code>{text}</code>
      <Button onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</Button>
      <span className="heard" role="status">
        {isCopied && 'Copied.'}
      </span>
    </div>
  )
}
