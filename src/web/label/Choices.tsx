import { type ComponentProps, useRef } from 'react'
import type { Label } from '../../protocol/points.ts'
import type { Class, Project } from '../../protocol/project.ts'
import { type Command, capOf, shortcutOf } from '../keys/keymap.ts'
import { useSingleKeys } from '../keys/single-keys.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button, KeyCap } from '../parts/Button.tsx'
import { Panel } from '../parts/Card.tsx'
import { closePanel } from '../shell/panels.ts'
import { whenUnsure, words } from '../text/label.ts'
import { labelling } from './labelling.ts'

interface Props {
  classes: readonly Class[]
  /** The answer that stands, where one is revised. */
  given: Label | undefined
}

/** The labels as buttons. A key presses its button: one path for both. */
export function Choices({ classes, given }: Props) {
  const areKeysOn = useSingleKeys()
  const group = useRef<HTMLFieldSetElement>(null)
  const isKeyItself = classes.every(({ name, key }) => name === key)

  useKeys({}, classes, (name) => {
    flash(group.current?.querySelectorAll('button')[classes.findIndex((one) => one.name === name)])
    labelling.choose(name)
  })

  return (
    <fieldset className={isKeyItself ? 'choices is-keys' : 'choices'} ref={group} aria-label={words.choose}>
      {classes.map(({ name, key }) => (
        <button
          key={name}
          type="button"
          className="chip choice"
          aria-keyshortcuts={areKeysOn ? key : undefined}
          aria-pressed={given === undefined ? undefined : given === name}
          onClick={() => labelling.choose(name)}
        >
          {areKeysOn && !isKeyItself && <KeyCap>{key.toUpperCase()}</KeyCap>}
          <span dir="auto">{name}</span>
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

/** A button for what a key does too; the key is printed on it while it works. */
export function CommandButton({ command, ...rest }: { command: Command } & ComponentProps<typeof Button>) {
  const isOn = useSingleKeys() || command === 'undo' // which has no single key to switch off
  return (
    <Button kind="bare" shortcut={isOn ? shortcutOf(command) : undefined} keyCap={isOn ? capOf(command) : undefined} {...rest} />
  )
}

/** How to answer, in the project's words and then in ours. */
export function Guidelines({ project }: { project: Project }) {
  const paragraphs = project.guidelines.split(/\n\s*\n|\n(?=[-*•])/).filter((text) => text.trim() !== '')
  const names = project.classes.map(({ name }) => name).filter((name) => name.length > 1)
  return (
    <Panel id="guidelines" title={words.guidelines} onClose={closePanel}>
      <div className="guidelines">
        {paragraphs.map((text) => (
          <Paragraph key={text} text={text.trim()} names={names} />
        ))}
        <h3>{whenUnsure.title}</h3>
        <ul>
          <li>{whenUnsure.reading}</li>
          <li>
            <b>{words.later}</b> {whenUnsure.later}
          </li>
          <li>
            <b>{words.unknown}</b> {whenUnsure.unknown}
          </li>
        </ul>
        <p className="caption">{whenUnsure.noHints}</p>
      </div>
    </Panel>
  )
}

/** A paragraph about one class begins with its name: that is what eyes look for. */
function Paragraph({ text, names }: { text: string; names: readonly string[] }) {
  const name = names.find((one) => text.startsWith(one))
  if (name === undefined) return <p dir="auto">{text}</p>
  return (
    <p dir="auto">
      <b>{name}</b>
      {text.slice(name.length)}
    </p>
  )
}
