import type { Class } from '../../protocol/project.ts'
import { keymap } from '../keys/keymap.ts'
import { switchSingleKeys, useSingleKeys } from '../keys/single-keys.ts'
import { Panel } from '../parts/Panel.tsx'
import { Switch } from '../parts/Switch.tsx'
import { closePanel } from './panels.ts'

/** Every key, from the same data that makes them work. */
export function KeysPanel({ classes }: { classes: readonly Class[] }) {
  const areSingle = useSingleKeys()
  return (
    <Panel id="keys" title="Keys" onClose={closePanel}>
      <dl className="keys">
        {classes.length > 0 && <LabelKeys classes={classes} />}
        {Object.values(keymap).map(({ says, caps }) => (
          <div key={says} className="spread">
            <dt>{says}</dt>
            <dd>
              {caps.map((cap, i) => (
                <span key={cap}>
                  {i > 0 && 'or '}
                  <kbd>{cap}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="keys-switch">
        <Switch
          label="Single-key shortcuts"
          note="Turn off if you use speech input."
          isOn={areSingle}
          onChange={switchSingleKeys}
        />
      </div>
    </Panel>
  )
}

/** "0 to 9" where the keys are the names, else each class with its key. */
function LabelKeys({ classes }: { classes: readonly Class[] }) {
  if (classes.every(({ name, key }) => name === key))
    return (
      <div className="spread">
        <dt>Give a label</dt>
        <dd>
          <kbd>{classes[0]?.key}</kbd> to <kbd>{classes.at(-1)?.key}</kbd>
        </dd>
      </div>
    )
  return classes.map(({ name, key }) => (
    <div key={key} className="spread">
      <dt>{name}</dt>
      <dd>
        <kbd>{key.toUpperCase()}</kbd>
      </dd>
    </div>
  ))
}
