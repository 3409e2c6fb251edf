import type { Strategy } from '../../protocol/project.ts'
import { noEstimate } from '../../text/wording.ts'

interface Props {
  strategies: readonly Strategy[]
  chosen: string
  onChoose: (name: string) => void
}

/** Those most projects use; the others are behind a line that opens. */
const prominent = ['alis', 'uniform', 'paper']

export function Strategies({ strategies, chosen, onChoose }: Props) {
  const first = prominent.flatMap((name) => strategies.find((strategy) => strategy.name === name) ?? [])
  const more = strategies.filter((strategy) => !first.includes(strategy))
  const options = (list: readonly Strategy[]) =>
    list.map(({ name, title, summary, isRandom }) => (
      <label className="option" key={name}>
        <input type="radio" name="strategy" value={name} checked={name === chosen} onChange={() => onChoose(name)} />
        <span>
          <b>{title}</b> {title !== name && <span className="mono faint">{name}</span>}
          <span className="small quiet">{summary}</span>
          {!isRandom && <span className="small quiet">{noEstimate}</span>}
        </span>
      </label>
    ))
  return (
    <div className="start-options" role="radiogroup" aria-label="Strategy">
      {options(first)}
      {more.length > 0 && (
        <details className="start-more">
          <summary>More strategies</summary>
          <div className="start-options">{options(more)}</div>
        </details>
      )}
    </div>
  )
}
