import { capOf, shortcutOf } from '../keys/keymap.ts'
import { useSingleKeys } from '../keys/single-keys.ts'
import { Button } from '../parts/Button.tsx'
import { togglePanel, usePanel } from '../shell/panels.ts'

/** What is asked of every point, and where to read how to answer. */
export function Question({ question }: { question: string }) {
  const areKeysOn = useSingleKeys()
  const panel = usePanel()
  return (
    <div className="question">
      <h1>{question}</h1>
      <Button
        kind="bare"
        shortcut={areKeysOn ? shortcutOf('guidelines') : undefined}
        keyCap={areKeysOn ? capOf('guidelines') : undefined}
        aria-expanded={panel === 'guidelines'}
        aria-controls="guidelines"
        onClick={() => togglePanel('guidelines')}
      >
        Guidelines
      </Button>
    </div>
  )
}
