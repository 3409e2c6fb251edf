import type { ReactNode } from 'react'
import type { Inspection, PredictionRole } from '../../protocol/start.ts'
import { rich } from '../parts/rich.tsx'
import { mapping } from '../text/start-parts.ts'
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
  const good = (
    <select
      className="start-role"
      aria-label={mapping.good}
      value={draft.good}
      onChange={({ target }) => onChange({ ...draft, good: target.value })}
    >
      {verdicts.map(({ value }) => (
        <option key={value}>{value}</option>
      ))}
    </select>
  )
  return (
    <p className="start-mapping">
      {rich(mapping[kind], {
        read: pick('read', mapping.read),
        check:
          columnsWith(draft, 'probability').length > 0
            ? pick('probability', mapping.probability, true)
            : pick('check', mapping.check, true),
        good,
        confidence: pick('confidence', mapping.confidence),
        compare: pick('compare', mapping.compare, true),
        apart: pick('apart', mapping.apart),
      })}
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
          <option value="">{mapping.none}</option>
        </select>
      ))}
      {!isFull && (
        <select
          className="start-role off"
          aria-label={`${label}: ${mapping.add}`}
          value=""
          onChange={({ target }) => onChoose(target.value)}
        >
          <option value="">{chosen.length > 0 ? mapping.add : mapping.noColumn}</option>
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
