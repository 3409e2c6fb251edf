import { Fragment, useEffect, useState } from 'react'
import { Button, type ButtonKind } from './Button.tsx'

/** A line to take along to a terminal; where it has to break, it breaks between options. */
export function CopiedLine({ text, kind = 'bare' }: { text: string; kind?: ButtonKind }) {
  const [said, setSaid] = useState('Copy')
  useEffect(() => {
    if (said === 'Copy') return
    const timer = setTimeout(() => setSaid('Copy'), 2_000)
    return () => clearTimeout(timer)
  }, [said])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Select it instead') // some browsers, and pages not opened as 127.0.0.1, forbid it
    }
  }

  return (
    <div className="copied-line">
      <code className="mono">
        {text.split(/ (?=--)/).map((part) => (
          <Fragment key={part}>
            <span>{part}</span>{' '}
          </Fragment>
        ))}
      </code>
      <Button kind={kind} onClick={copy} aria-live="polite">
        {said}
      </Button>
    </div>
  )
}
