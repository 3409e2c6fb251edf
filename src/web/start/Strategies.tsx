import type { Strategy } from '../../protocol/project.ts'

interface Props {
  strategies: readonly Strategy[]
  chosen: string
  onChoose: (name: string) => void
}

/** The three that nearly everybody chooses from. */
const prominent = ['alis', 'uniform', 'paper']

export function Strategies({ strategies, chosen, onChoose }: Props) {
  const first = prominent.flatMap((name) => strategies.find((strategy) => strategy.name === name) ?? [])
  const more = strategies.filter((strategy) => !first.includes(strategy))
  const options = (list: readonly Strategy[]) =>
    list.map((strategy) => (
      <StrategyOption key={strategy.name} strategy={strategy} isChosen={strategy.name === chosen} onChoose={onChoose} />
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

interface OptionProps {
  strategy: Strategy
  isChosen: boolean
  onChoose: (name: string) => void
}

function StrategyOption({ strategy: { name, title, summary, isRandom }, isChosen, onChoose }: OptionProps) {
  return (
    <label className="option">
      <input type="radio" name="strategy" value={name} checked={isChosen} onChange={() => onChoose(name)} />
      <span>
        <b>{title}</b> {title !== name && <span className="mono faint">{name}</span>}
        <span className="small quiet">{summary}</span>
        {!isRandom && <span className="small quiet">No unbiased estimate: this strategy does not draw at random.</span>}
      </span>
    </label>
  )
}
