import { useRef } from 'react'
import type { Class } from '../../protocol/project.ts'
import { useSingleKeys } from '../keys/single-keys.ts'
import { useKeys } from '../keys/use-keys.ts'
import { KeyCap } from '../parts/KeyCap.tsx'
import { labelling } from './labelling.ts'

/** The labels as buttons. A key presses its button: one path for both. */
export function Choices({ classes }: { classes: readonly Class[] }) {
  const areKeysOn = useSingleKeys()
  const group = useRef<HTMLFieldSetElement>(null)
  const isKeyItself = classes.every(({ name, key }) => name === key)

  useKeys({}, classes, (name) => {
    flash(group.current?.querySelectorAll('button')[classes.findIndex((one) => one.name === name)])
    labelling.choose(name)
  })

  return (
    <fieldset className={isKeyItself ? 'choices is-keys' : 'choices'} ref={group} aria-label="Choose a label">
      {classes.map(({ name, key }) => (
        <button
          key={name}
          type="button"
          className="chip choice"
          aria-keyshortcuts={areKeysOn ? key : undefined}
          onClick={() => labelling.choose(name)}
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
