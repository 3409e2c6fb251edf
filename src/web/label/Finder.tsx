import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Label } from '../../protocol/points.ts'
import type { Class } from '../../protocol/project.ts'
import { useKeys } from '../keys/use-keys.ts'
import { KeyCap } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { finder, words } from '../text/label.ts'
import { found, type Match } from './finding.ts'
import { labelling } from './labelling.ts'

interface Props {
  classes: readonly Class[]
  /** Those that were answered most, each with its digit. */
  often: readonly string[]
  /** The answer that stands, where one is revised. */
  given: Label | undefined
  /** What the field belongs to: it is empty again with the next. */
  about: string
}

/** Many classes: typing finds one, arrows choose, Enter answers. The nine most used have the digits. */
export function Finder({ classes, often, given, about }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const matches = found(
    classes.map(({ name }) => name),
    typed,
  )
  const rows: readonly (Match | null)[] = [...matches, null]
  const chosen = Math.min(at, rows.length - 1)
  useEffect(() => {
    setTyped('')
    setAt(0)
    field.current?.focus({ preventScroll: true })
  }, [about])
  useEffect(() => document.getElementById(`finder-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen])

  useKeys(
    { find: () => field.current?.focus() },
    often.map((name, k) => ({ name, key: `${k + 1}` })),
    (name) => labelling.choose(name),
  )
  const give = (match: Match | null) => labelling.choose(match?.name ?? null)
  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + rows.length) % rows.length)
    else if (event.key === 'Enter' && (typed !== '' || at > 0)) give(rows[chosen]!)
    else if (event.key === 'Escape') field.current?.blur()
    else if (event.key === 'Backspace' && typed === '') labelling.undo()
    else if (/^[1-9]$/.test(event.key) && typed === '' && often[Number(event.key) - 1])
      labelling.choose(often[Number(event.key) - 1]!)
    else return
    event.preventDefault()
  }

  return (
    <div className="finder">
      {often.length > 0 && <Often names={often} />}
      <div className="finder-field">
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          role="combobox"
          aria-label={finder.label}
          aria-expanded="true"
          aria-controls="finder-list"
          aria-activedescendant={`finder-${chosen}`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
      </div>
      <div className="finder-list" id="finder-list" role="listbox" aria-label={finder.list}>
        {rows.map((match, k) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: its field has the keys
          <div
            key={match?.name ?? ''}
            id={`finder-${k}`}
            role="option"
            tabIndex={-1}
            aria-selected={k === chosen}
            className={given !== undefined && given === (match?.name ?? null) ? 'is-given' : undefined}
            onClick={() => give(match)}
          >
            {match ? <Marked match={match} /> : <i>{words.unknown}</i>}
            {k === chosen && (typed !== '' || at > 0) && <KeyCap>{finder.enter}</KeyCap>}
          </div>
        ))}
      </div>
      <p className="caption" role="status">
        {matches.length === 0 ? finder.none(typed) : finder.foot(matches.length, classes.length)}
      </p>
    </div>
  )
}

/** Each with its digit. */
function Often({ names }: { names: readonly string[] }) {
  return (
    <div className="finder-often">
      <span className="small faint">{finder.often}</span>
      {names.map((name, k) => (
        <button key={name} type="button" className="chip choice" onClick={() => labelling.choose(name)}>
          <KeyCap>{`${k + 1}`}</KeyCap>
          <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  )
}

/** A class, with what was typed in bold. */
function Marked({ match: { name, from, to } }: { match: Match }) {
  return (
    <bdi>
      {name.slice(0, from)}
      <b>{name.slice(from, to)}</b>
      {name.slice(to)}
    </bdi>
  )
}
