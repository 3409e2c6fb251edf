import { metrics } from '../../metrics/catalogue.ts'
import { TextField } from '../parts/Field.tsx'
import { auditChecks, fieldHints } from '../text/fields.ts'
import { parts } from '../text/start-parts.ts'
import { type AuditDraft, type AuditNumber, auditNumbers, isAsked, moreMetrics } from './audit-draft.ts'

interface Props {
  draft: AuditDraft
  problemOf: (field: AuditNumber | 'project') => string | undefined
  onChange: (part: Partial<AuditDraft>) => void
}

/** What few people change: all that the command can. */
export function AuditOptions({ draft, problemOf, onChange }: Props) {
  const isRace = isAsked('best', draft)
  const own: readonly AuditNumber[] = isRace ? ['within', 'budget'] : ['tolerance', 'below', 'budget']
  const graded: readonly AuditNumber[] = draft.kind === 'grades' ? ['least', 'most'] : []
  const number = (field: AuditNumber, placeholder = '') => (
    <TextField
      key={field}
      label={auditNumbers[field].title}
      inputMode="decimal"
      autoComplete="off"
      placeholder={placeholder}
      value={draft.numbers[field]}
      error={problemOf(field)}
      onChange={({ target }) => onChange({ numbers: { ...draft.numbers, [field]: target.value } })}
    />
  )
  const check = (label: string, isOn: boolean, change: (isOn: boolean) => Partial<AuditDraft>) => (
    <label className="start-check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(change(target.checked))} />
      {label}
    </label>
  )
  return (
    <details className="start-more">
      <summary>{parts.auditElse}</summary>
      <div className="start-else">
        <TextField
          label={parts.project}
          hint={parts.projectHint}
          spellCheck={false}
          value={draft.project}
          error={problemOf('project')}
          onChange={({ target }) => onChange({ project: target.value })}
        />
        {graded.map((field) => number(field))}
        {!isRace && check(auditChecks.own, draft.goal === 'own', (isOn) => ({ goal: isOn ? 'own' : 0.05 }))}
        {own.filter((field) => isRace || draft.goal === 'own' || field === 'budget').map((field) => number(field))}
        {number('level', '0.95')}
        {number('batch', '10')}
        {number('seed', fieldHints.fresh)}
        {!isRace && check(auditChecks.forAll, draft.isForAll, (isForAll) => ({ isForAll }))}
        {!isRace && check(auditChecks.together, draft.isTogether, (isTogether) => ({ isTogether }))}
        {!isRace && check(auditChecks.plainLot, draft.isUniform, (isUniform) => ({ isUniform }))}
      </div>
      {!isRace && draft.kind !== 'grades' && (
        <fieldset className="start-metrics" aria-label={parts.more}>
          <legend>{parts.more}</legend>
          {moreMetrics.map((name) => (
            <span key={name}>
              {check(metrics[name].word, draft.more.has(name), (isOn) => ({
                more: new Set(isOn ? [...draft.more, name] : [...draft.more].filter((other) => other !== name)),
              }))}
            </span>
          ))}
        </fieldset>
      )}
    </details>
  )
}
