import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type KeyedClass, mostClasses } from '../../text/class-keys.ts'
import { Button } from '../parts/Button.tsx'
import { TextField } from '../parts/Field.tsx'
import { Note } from '../parts/Note.tsx'
import { addClass, enterNames, isSeveral, renameClass } from './classes.ts'

interface Props {
  classes: readonly KeyedClass[]
  error: string | undefined
  onChange: (classes: KeyedClass[]) => void
}

/** The classes as the keys they will be; one at a time is open to change. */
export function Classes({ classes, error, onChange }: Props) {
  const [opened, setOpened] = useState<number>()
  const adder = useRef<HTMLButtonElement>(null)
  const current = opened === undefined ? undefined : classes[opened]

  function add() {
    onChange(addClass(classes, ''))
    setOpened(classes.length)
  }

  /** Several names at once end the typing, but for a comma at the end: after that comes the next one. */
  function rename(at: number, text: string) {
    if (!isSeveral(text)) return onChange(renameClass(classes, at, text))
    const entered = enterNames(classes, at, text)
    const goesOn = /[,;]\s*$/.test(text) && entered.length < mostClasses
    onChange(goesOn ? addClass(entered, '') : entered)
    if (goesOn) setOpened(entered.length)
    else close()
  }

  function close() {
    setOpened(undefined)
    adder.current?.focus() // Enter, Enter, and the next class can be typed
  }

  return (
    <fieldset className="stack" aria-label="Classes">
      <div className="start-chips">
        {classes.map(({ name, key }, i) => (
          <button
            key={i}
            type="button"
            className="chip start-chip"
            aria-expanded={i === opened}
            onClick={() => setOpened(i === opened ? undefined : i)}
          >
            <span className="heard">Change the class</span>
            {name !== key && <kbd>{key || '–'}</kbd>}
            {name || <span className="faint">no name</span>}
          </button>
        ))}
        <button
          type="button"
          className="chip start-chip is-new"
          ref={adder}
          disabled={classes.length >= mostClasses}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'start-classes-error' : undefined}
          onClick={add}
        >
          Add a class
        </button>
      </div>
      {opened !== undefined && current && (
        <ClassEditor
          key={opened}
          current={current}
          onRename={(text) => rename(opened, text)}
          onKey={(key) => onChange(classes.map((one, i) => (i === opened ? { ...one, key } : one)))}
          onRemove={() => {
            onChange(classes.filter((_, i) => i !== opened))
            close()
          }}
          onClose={close}
        />
      )}
      {error && (
        <div id="start-classes-error">
          <Note kind="warn" role="alert">
            {error}
          </Note>
        </div>
      )}
    </fieldset>
  )
}

interface EditorProps {
  current: KeyedClass
  onRename: (name: string) => void
  onKey: (key: string) => void
  onRemove: () => void
  onClose: () => void
}

function ClassEditor({ current: { name, key }, onRename, onKey, onRemove, onClose }: EditorProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])

  function finish(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }

  const typed = { autoComplete: 'off', onKeyDown: finish }
  return (
    <div className="start-class-editor">
      <TextField
        label="Name, or several: a, b, c"
        {...typed}
        ref={field}
        value={name}
        onChange={(event) => onRename(event.target.value)}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text') // of which a field of one line would keep one line
          if (!isSeveral(text)) return
          event.preventDefault()
          onRename(`${name.slice(0, event.currentTarget.selectionStart ?? 0)}${text}`)
        }}
      />
      <TextField
        label="Key"
        {...typed}
        className="input mono"
        value={key}
        onFocus={(event) => event.target.select()}
        onChange={(event) => onKey(event.target.value.trim().slice(-1))}
      />
      <Button kind="bare" onClick={onRemove}>
        Remove
      </Button>
      <Button onClick={onClose}>Done</Button>
    </div>
  )
}
