import { useRef } from 'react'
import type { Class } from '../../protocol/project.ts'
import { useSingleKeys } from '../keys/single-keys.ts'
import { useKeys } from '../keys/use-keys.ts'
import { KeyCap } from '../parts/KeyCap.tsx'
import './label.css'

interface Props {
  classes: readonly Class[]
  onChoose: (name: string) => void
  /** Whether the classes' keys work and are printed; off where a text field is near. Default true. */
  hasKeys?: boolean
  /** The answer now, where it is being changed. */
  chosen?: string | null | undefined
}

/** The labels as buttons. A key presses its button: one path for both. */
export function Choices({ classes, onChoose, hasKeys = true, chosen }: Props) {
  const areKeysOn = useSingleKeys() && hasKeys
  const group = useRef<HTMLFieldSetElement>(null)
  const isKeyItself = classes.every(({ name, key }) => name === key)

  useKeys({}, hasKeys ? classes : [], (name) => {
    flash(group.current?.querySelectorAll('button')[classes.findIndex((one) => one.name === name)])
    onChoose(name)
  })

  return (
    <fieldset className={isKeyItself ? 'choices is-keys' : 'choices'} ref={group} aria-label="Choose a label">
      {classes.map(({ name, key }) => (
        <button
          key={name}
          type="button"
          className="choice"
          aria-keyshortcuts={areKeysOn ? key : undefined}
          aria-pressed={chosen === undefined ? undefined : chosen === name}
          onClick={() => onChoose(name)}
        >
          {areKeysOn && !isKeyItself && <KeyCap>{key.toUpperCase()}</KeyCap>}
          <span>{name}</span>
        </button>
      ))}
    </fieldset>
  )
}

/** Shows which button a key pressed. Not by state: nothing may be rendered again for it. */
function flash(button: Element | undefined): void {
  button?.classList.add('is-hit')
  setTimeout(() => button?.classList.remove('is-hit'), 120)
}
