import { asks, included } from '../text/asks.ts'
import { type Ask, type AuditDraft, columnsWith, isAsked, refusalOf } from './audit-draft.ts'

interface Props {
  draft: AuditDraft
  onChange: (asks: ReadonlySet<Ask>) => void
}

/** What to find out, all from the same answers. What the file cannot answer is off, and says why. */
export function Asks({ draft, onChange }: Props) {
  const toggle = (ask: Ask, isOn: boolean) => {
    const asked = new Set(draft.asks)
    if (isOn) asked.add(ask)
    else asked.delete(ask)
    onChange(asked)
  }
  const isRace = isAsked('best', draft)
  const of = { apart: columnsWith(draft, 'apart'), others: columnsWith(draft, 'compare'), one: draft.classes[0]?.name }
  return (
    <div className="card start-asks">
      {asks[draft.kind].map(({ ask, title, about, cost = included }) => {
        const refusal = refusalOf(ask, draft)
        const isAlways = ask === 'overall' && !isRace
        return (
          <label key={ask} className={refusal ? 'start-ask is-off' : 'start-ask'}>
            <input
              type="checkbox"
              checked={isAlways || isAsked(ask, draft)}
              disabled={refusal !== undefined || isAlways}
              onChange={({ target }) => toggle(ask, target.checked)}
            />
            <span>
              <b>{title}</b>
              {about(of)}
            </span>
            <span className="cost">{refusal ?? cost}</span>
          </label>
        )
      })}
    </div>
  )
}
