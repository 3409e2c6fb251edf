import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import type { KeyedClass } from '../../text/class-keys.ts'
import { Icon } from '../parts/Icon.tsx'
import { startWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { enterNames, isSeveral } from './classes.ts'

interface Props {
  classes: readonly KeyedClass[]
  error: string | undefined
  /** Columns whose values could be the answers. */
  columns: readonly { readonly name: string; readonly values: readonly { readonly value: string }[] }[]
  onChange: (classes: KeyedClass[]) => void
}

/** The answers people choose from, as they are typed: a comma, a line break or a pasted list splits. */
export function Answers({ classes, error, columns, onChange }: Props) {
  const [text, setText] = useState('')
  const [known, setKnown] = useState<readonly string[]>([])
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  function enter(typed: string) {
    const entered = enterNames(classes, typed)
    setKnown(entered.known)
    setText('')
    onChange(entered.classes)
  }

  function remove(at: number) {
    setKnown([])
    onChange(classes.filter((_, k) => k !== at))
    field.current?.focus()
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Backspace' && text === '' && classes.length > 0) remove(classes.length - 1)
    if (event.key !== 'Enter' || text.trim() === '') return
    event.preventDefault() // which would begin
    enter(text)
  }

  function paste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text') // of which a field of one line would keep one line
    if (!isSeveral(pasted)) return
    event.preventDefault()
    enter(text + pasted)
  }

  const said = error ?? (known.length > 0 ? parts.thereAlready(known) : undefined)
  return (
    <div className="stack">
      <fieldset className="start-tokens" aria-label={parts.answersGroup}>
        {classes.map(({ name, key }, k) => (
          <span className="chip" key={name}>
            {key && key !== name && <kbd>{key.toUpperCase()}</kbd>}
            <bdi>{name}</bdi>
            <button type="button" aria-label={parts.remove(name)} onClick={() => remove(k)}>
              <Icon name="close" size={12} />
            </button>
          </span>
        ))}
        <input
          ref={field}
          aria-label={parts.addAnswers}
          placeholder={parts.example}
          autoComplete="off"
          spellCheck={false}
          value={text}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => (isSeveral(target.value) ? enter(target.value) : setText(target.value))}
          onKeyDown={press}
          onPaste={paste}
          onBlur={() => text.trim() !== '' && enter(text)}
        />
      </fieldset>
      <p id={`${id}-hint`} className={said ? 'hint is-error' : 'hint'} role={said ? 'alert' : undefined}>
        {said ?? startWords.cannotTell}
      </p>
      {columns.length > 0 && <FromColumn columns={columns} onChange={onChange} />}
    </div>
  )
}

/** Answers that are the values of a column. */
function FromColumn({ columns, onChange }: Pick<Props, 'columns' | 'onChange'>) {
  return (
    <label className="start-from small">
      {`${parts.fromColumn} `}
      <select
        className="start-role"
        value=""
        onChange={({ target }) => {
          const column = columns.find(({ name }) => name === target.value)
          if (column)
            onChange(enterNames([], column.values.map(({ value }) => value.replace(/[,;\t\r\n]+/g, ' ')).join('\n')).classes)
        }}
      >
        <option value="">{parts.choose}</option>
        {columns.map(({ name, values }) => (
          <option key={name} value={name}>
            {parts.valuesOf(
              name,
              values.slice(0, 3).map(({ value }) => value.slice(0, 20)),
              values.length,
            )}
          </option>
        ))}
      </select>
    </label>
  )
}
