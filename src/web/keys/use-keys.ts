import { useEffect, useRef } from 'react'
import type { KeyedClass } from '../../text/class-keys.ts'
import { type Command, choiceOf, commandOf } from './keymap.ts'
import { useSingleKeys } from './single-keys.ts'

type Commands = Partial<Record<Command, () => void>>

/** Listens for keys while the component is there. What is missing from `commands` is left to others. */
export function useKeys(commands: Commands, classes: readonly KeyedClass[] = [], onChoose?: (name: string) => void): void {
  const areSingle = useSingleKeys()
  const latest = useRef({ commands, classes, onChoose, areSingle })
  latest.current = { commands, classes, onChoose, areSingle }

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.repeat || event.defaultPrevented || isTyping(event.target)) return
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !latest.current.areSingle) return
      if (event.key === ' ' && isPressable(event.target)) return

      const { commands, classes, onChoose } = latest.current
      const choice = onChoose && choiceOf(classes, event)
      const command = commandOf(event)
      const act = choice ? () => onChoose(choice.name) : command && commands[command]
      if (!act) return
      if (event.key !== 'Escape') event.preventDefault() // every listener that has something to close closes it
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'range'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
}

/** Space presses what has focus. */
function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, input, select, summary') !== null
}
