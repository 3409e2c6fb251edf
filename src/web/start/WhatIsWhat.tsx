import type { PredictionRole } from '../../protocol/start.ts'
import { Note } from '../parts/Note.tsx'
import { hiddenWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { type AuditDraft, chooseRole } from './audit-draft.ts'
import { FirstRows, type Mark } from './FirstRows.tsx'
import { Mapping } from './Mapping.tsx'
import type { FileInspection } from './use-draft.ts'

interface Props {
  draft: AuditDraft
  inspection: FileInspection['inspection']
  problem: string | undefined
  onChange: (draft: AuditDraft) => void
}

/** The roles of the columns, by list and above the first rows. */
export function WhatIsWhat({ draft, inspection, problem, onChange }: Props) {
  return (
    <section className="start-what">
      <div>
        <h2>{parts.whatIsWhat}</h2>
        <p className="small faint">{parts.guessed}</p>
      </div>
      <div className="card">
        <Mapping draft={draft} columns={inspection.columns} onChange={onChange} />
      </div>
      {problem && (
        <div data-problem tabIndex={-1}>
          <Note kind="warn" role="alert">
            {problem}
          </Note>
        </div>
      )}
      <FirstRows
        inspection={inspection}
        roleOf={({ columns: [column] }) => draft.roles[column!.name] ?? 'out'}
        offered={() => roleOptions(draft.kind)}
        markOf={(role) => auditMarks[role as PredictionRole] ?? ''}
        onChoose={({ columns }, role) =>
          onChange(columns.reduce((now, { name }) => chooseRole(now, name, role as PredictionRole), draft))
        }
        note={hiddenWords[draft.kind]}
      />
    </section>
  )
}

const roleWords: Readonly<Record<PredictionRole, string>> = {
  read: 'Read',
  check: 'Check',
  confidence: 'Confidence',
  probability: 'Probability',
  compare: 'Compare',
  apart: 'Apart by',
  id: 'Id',
  out: 'Left out',
}

const auditMarks: Readonly<Record<PredictionRole, Mark>> = {
  check: 'on',
  compare: 'on',
  read: '',
  confidence: '',
  probability: 'on',
  apart: '',
  id: '',
  out: 'off',
}

const roleOptions = (kind: AuditDraft['kind']) =>
  (Object.keys(roleWords) as PredictionRole[])
    .filter((role) => kind !== 'grades' || !['confidence', 'probability', 'compare'].includes(role))
    .map((value) => ({ value, text: roleWords[value] }))
