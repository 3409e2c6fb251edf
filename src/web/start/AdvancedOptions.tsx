import type { ReactNode } from 'react'
import { lossNames } from '../../losses/catalogue.ts'
import { SelectField, TextField } from '../parts/Field.tsx'
import { CopiedLine } from '../parts/Note.tsx'
import { fieldHints, fieldTitles } from '../text/fields.ts'
import { parts } from '../text/start-parts.ts'
import { commandLine, remarksOn } from './command.ts'
import { limits, type NewProject, type Numeric, projectOf } from './draft.ts'
import type { DraftWork } from './use-draft.ts'

/** What few people change, and the command that does the same as this page. */
export function AdvancedOptions({ work }: { work: DraftWork }) {
  const { draft, inspection, problems, problemOf, change } = work
  return (
    <details className="start-more">
      <summary>{parts.advanced}</summary>
      <div className="start-else">
        <TextField
          label={parts.project}
          hint={parts.projectHint}
          spellCheck={false}
          value={draft.project}
          error={problemOf('project')}
          onChange={(event) => change({ project: event.target.value })}
        />
        <SelectField
          label={fieldTitles.loss}
          hint={fieldHints.loss}
          value={draft.loss}
          error={problemOf('loss')}
          options={lossNames.map((loss) => ({ value: loss, text: loss }))}
          onChange={(event) => change({ loss: event.target.value })}
        />
        <NumberField work={work} field="l2" placeholder="1" hint={fieldHints.l2} />
        <NumberField work={work} field="weighting" placeholder={fieldHints.ofStrategy} hint={fieldHints.weighting} />
        <NumberField work={work} field="know" placeholder="0.2" hint={fieldHints.know} />
        <NumberField work={work} field="seed" placeholder={fieldHints.fresh} hint={fieldHints.seed} />
        <SameCommand project={Object.keys(problems).length === 0 ? projectOf(draft, inspection) : undefined} />
      </div>
    </details>
  )
}

function SameCommand({ project }: { project: NewProject | undefined }) {
  return (
    <div className="start-command">
      <h3>{parts.command}</h3>
      {project ? (
        <>
          <CopiedLine text={commandLine(project)} />
          {remarksOn(project).map((remark) => (
            <p key={remark} className="hint">
              {remark}
            </p>
          ))}
        </>
      ) : (
        <p className="small quiet">{parts.commandLater}</p>
      )}
    </div>
  )
}

interface Props {
  work: DraftWork
  field: Numeric
  hint?: ReactNode
  placeholder?: string
}

/** A number as it is typed: what is wrong is said below, and nothing typed is taken away. */
export function NumberField({ work: { draft, problemOf, change }, field, ...rest }: Props) {
  const { title, isWhole } = limits[field]
  return (
    <TextField
      label={title}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={draft[field]}
      error={problemOf(field)}
      onChange={(event) => change({ [field]: event.target.value })}
      {...rest}
    />
  )
}
