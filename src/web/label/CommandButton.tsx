import type { ComponentProps } from 'react'
import { type Command, capOf, shortcutOf } from '../keys/keymap.ts'
import { useSingleKeys } from '../keys/single-keys.ts'
import { Button } from '../parts/Button.tsx'

/** A button for what a key does too; the key is printed on it while it works. */
export function CommandButton({ command, ...rest }: { command: Command } & ComponentProps<typeof Button>) {
  const isOn = useSingleKeys() || command === 'undo' // which has no single key to switch off
  return (
    <Button kind="bare" shortcut={isOn ? shortcutOf(command) : undefined} keyCap={isOn ? capOf(command) : undefined} {...rest} />
  )
}
