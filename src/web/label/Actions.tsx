import { type Command, capOf, shortcutOf } from '../keys/keymap.ts'
import { useSingleKeys } from '../keys/single-keys.ts'
import { Button } from '../parts/Button.tsx'

interface Props {
  onUndo: () => void
  onLater: () => void
  onUnknown: () => void
  /** Words for Undo where there is something else to give up. */
  undo?: string
  canUndo: boolean
  canPutOff: boolean
}

export function Actions({ onUndo, onLater, onUnknown, undo = 'Undo', canUndo, canPutOff }: Props) {
  const areKeysOn = useSingleKeys()
  const keys = (command: Command, isOn: boolean) => ({
    shortcut: isOn ? shortcutOf(command) : undefined,
    keyCap: isOn ? capOf(command) : undefined,
  })
  return (
    <div className="actions">
      <Button kind="bare" onClick={onUndo} disabled={!canUndo} {...keys('undo', true)}>
        {undo}
      </Button>
      <Button kind="bare" onClick={onLater} disabled={!canPutOff} {...keys('later', areKeysOn)}>
        Later
      </Button>
      <Button kind="bare" onClick={onUnknown} {...keys('unknown', areKeysOn)}>
        Cannot tell
      </Button>
    </div>
  )
}
