import type { ReactNode } from 'react'
import type { Inspection, PredictionRole } from '../../protocol/start.ts'
import { type AuditDraft, chooseRole, columnsWith } from './audit-draft.ts'

interface Props {
  draft: AuditDraft
  columns: Inspection['columns']
  onChange: (draft: AuditDraft) => void
}

/** What is what as one sentence; each column in it can be another. */
export function Mapping({ draft, columns, onChange }: Props) {
  const { kind } = draft
  const names = columns.map(({ name }) => name)
  const pick = (role: PredictionRole, label: string, isKey = false) => {
    const chosen = columnsWith(draft, role)
    return (
      <Pickers
        label={label}
        names={names}
        chosen={chosen}
        isKey={isKey}
        isSingle={role === 'check' || role === 'confidence'}
        onChoose={(name, before) => {
          const without = before === undefined ? draft : chooseRole(draft, before, 'out')
          onChange(name === '' ? without : chooseRole(without, name, role))
        }}
      />
    )
  }
  const verdicts = columns.find(({ name }) => draft.roles[name] === 'check')?.values ?? []
  return (
    <p className="start-mapping">
      People read {pick('read', 'People read')}. {kind === 'predictions' && 'The predictions to check are in '}
      {kind === 'verdicts' && 'The judge’s verdict is in '}
      {kind === 'grades' && 'The judge’s grade is in '}
      {columnsWith(draft, 'probability').length > 0
        ? pick('probability', 'Probabilities of the classes', true)
        : pick('check', 'What is checked', true)}
      {kind === 'verdicts' && (
        <>
          , where{' '}
          <select
            className="start-role"
            aria-label="The verdict that means good"
            value={draft.good}
            onChange={({ target }) => onChange({ ...draft, good: target.value })}
          >
            {verdicts.map(({ value }) => (
              <option key={value}>{value}</option>
            ))}
          </select>{' '}
          means good
        </>
      )}
      {kind !== 'grades' && <>, with confidence in {pick('confidence', 'Confidence')}. Compare them with </>}
      {kind === 'grades' && '. '}
      {kind !== 'grades' && <>{pick('compare', 'Compare with', true)}. </>}
      Show results apart by {pick('apart', 'Apart by')}.
    </p>
  )
}

interface PickersProps {
  label: string
  names: readonly string[]
  chosen: readonly string[]
  isSingle: boolean
  isKey: boolean
  onChoose: (name: string, before?: string) => void
}

function Pickers({ label, names, chosen, isSingle, isKey, onChoose }: PickersProps): ReactNode {
  const isFull = isSingle && chosen.length > 0
  return (
    <>
      {chosen.map((name) => (
        <select
          key={name}
          className={isKey ? 'start-role on' : 'start-role'}
          aria-label={`${label}: ${name}`}
          value={name}
          onChange={({ target }) => onChoose(target.value, name)}
        >
          {names.map((each) => (
            <option key={each}>{each}</option>
          ))}
          <option value="">none</option>
        </select>
      ))}
      {!isFull && (
        <select
          className="start-role off"
          aria-label={`${label}: add a column`}
          value=""
          onChange={({ target }) => onChoose(target.value)}
        >
          <option value="">{chosen.length > 0 ? 'add a column' : 'no column'}</option>
          {names
            .filter((name) => !chosen.includes(name))
            .map((each) => (
              <option key={each}>{each}</option>
            ))}
        </select>
      )}
    </>
  )
}
