import type { Prices } from '../../protocol/audits.ts'
import { count } from '../../text/wording.ts'
import type { Failure } from '../api/client.ts'
import { FailureNote } from '../parts/Note.tsx'
import { paceFor } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { type AuditDraft, columnsWith, isAsked } from './audit-draft.ts'
import { Goals } from './Goals.tsx'
import { Step } from './parts.tsx'
import type { FileInspection } from './use-draft.ts'

interface Props {
  draft: AuditDraft
  first: FileInspection
  prices: Prices['prices']
  isPricing: boolean
  failure: Failure | undefined
  onChoose: (goal: AuditDraft['goal']) => void
}

/** When the audit ends: a goal with its price, or the best of several. */
export function HowSure({ draft, first, prices, isPricing, failure, onChoose }: Props) {
  const { rows } = first.inspection
  const isRace = isAsked('best', draft)
  return (
    <Step title={parts.howSure} note={isRace ? parts.untilBest : aboutGoal(draft)}>
      {isRace ? (
        <p className="small quiet">
          {parts.endsWhen(draft.numbers.within || '0.01', draft.numbers.budget || count(Math.min(rows, 2_000)))}
        </p>
      ) : (
        <>
          {prices.length > 0 && (
            <Goals
              prices={prices}
              rows={rows}
              pace={paceOf(draft, first)}
              chosen={draft.goal === 'own' ? Number.NaN : draft.goal}
              isBusy={isPricing}
              onChoose={onChoose}
            />
          )}
          {failure && <FailureNote failure={failure} />}
        </>
      )}
    </Step>
  )
}

function aboutGoal({ kind, isForAll }: AuditDraft): string {
  if (isForAll) return 'For everything that is asked. Can be changed later.'
  const what = { predictions: 'the share wrong', verdicts: 'the pass rate', grades: 'the mean grade' }[kind]
  return `For ${what} in the whole file. Can be changed later.`
}

function paceOf(draft: AuditDraft, { inspection }: FileInspection): number {
  const read = new Set(columnsWith(draft, 'read'))
  const columns = inspection.columns.map((column) => ({ ...column, isShown: read.has(column.name) }))
  return paceFor({ columns, view: { kind: 'row' } }, inspection.preview)
}
