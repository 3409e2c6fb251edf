import type { ReactNode } from 'react'
import type { Class } from '../../protocol/project.ts'
import { keymap } from '../keys/keymap.ts'
import { switchSingleKeys, useSingleKeys } from '../keys/single-keys.ts'
import { Panel } from '../parts/Card.tsx'
import { rich } from '../parts/rich.tsx'
import { shellWords as words } from '../text/shell.ts'
import { closePanel } from './panels.ts'

/** Every key, from the same data that makes them work. */
export function KeysPanel({ classes }: { classes: readonly Class[] }) {
  const areSingle = useSingleKeys()
  return (
    <Panel id="keys" title={words.keysTitle} onClose={closePanel}>
      <dl className="keys">
        {classes.length > 0 && <LabelKeys classes={classes} />}
        {Object.values(keymap).map(({ says, caps }) => (
          <KeyRow key={says} says={says}>
            {caps.map((cap, i) => (
              <span key={cap}>
                {i > 0 && words.or}
                <kbd>{cap}</kbd>
              </span>
            ))}
          </KeyRow>
        ))}
      </dl>
      <div className="keys-switch">
        <Switch label={words.single} note={words.singleNote} isOn={areSingle} onChange={switchSingleKeys} />
      </div>
    </Panel>
  )
}

/** "0 to 9" where the keys are the names, else each class with its key. */
function LabelKeys({ classes }: { classes: readonly Class[] }) {
  if (classes.every(({ name, key }) => name === key))
    return (
      <KeyRow says={words.giveLabel}>
        {rich(words.oneToOther, { one: <kbd>{classes[0]?.key}</kbd>, other: <kbd>{classes.at(-1)?.key}</kbd> })}
      </KeyRow>
    )
  if (classes.length > 9)
    return <KeyRow says={words.often}>{rich(words.oneToOther, { one: <kbd>{'1'}</kbd>, other: <kbd>{'9'}</kbd> })}</KeyRow>
  return classes.map(({ name, key }) => (
    <KeyRow key={key} says={name}>
      <kbd>{key.toUpperCase()}</kbd>
    </KeyRow>
  ))
}

function KeyRow({ says, children }: { says: string; children: ReactNode }) {
  return (
    <div className="spread">
      <dt>{says}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface Props {
  label: string
  note?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function Switch({ label, note, isOn, onChange }: Props) {
  return (
    <label className="spread switch">
      <span>
        {label}
        {note && <span className="small faint">{note}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
