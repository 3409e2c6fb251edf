import type { ReactNode } from 'react'
import { lossNames } from '../../losses/catalogue.ts'
import { SelectField, TextField } from '../parts/Field.tsx'
import { CopiedLine } from '../parts/Note.tsx'
import { commandLine, remarksOn } from './command.ts'
import { limits, type NewProject, type Numeric, projectOf } from './draft.ts'
import type { DraftWork } from './use-draft.ts'

/** What few people change, and the command that does the same as this page. */
export function AdvancedOptions({ work }: { work: DraftWork }) {
  const { draft, inspection, problems, problemOf, change } = work
  return (
    <details className="start-more">
      <summary>Loss, penalty, weights, seed, and the command line</summary>
      <div className="start-else">
        <TextField
          label="Project"
          hint="Every draw and answer is kept in this folder."
          spellCheck={false}
          value={draft.project}
          error={problemOf('project')}
          onChange={(event) => change({ project: event.target.value })}
        />
        <SelectField
          label="Loss"
          hint="What the learner minimises."
          value={draft.loss}
          error={problemOf('loss')}
          options={lossNames.map((loss) => ({ value: loss, text: loss }))}
          onChange={(event) => change({ loss: event.target.value })}
        />
        <NumberField work={work} field="l2" placeholder="1" hint="Its strength: more keeps the model simpler." />
        <NumberField
          work={work}
          field="weighting"
          placeholder="the strategy’s"
          hint="The power they are taken to: 0 none, 1 full."
        />
        <NumberField
          work={work}
          field="know"
          placeholder="0.2"
          hint="Of strategy alis: more of it tells more about the model, and learns a little slower."
        />
        <NumberField work={work} field="seed" placeholder="fresh" hint="Repeats a draw. A certificate says that it was chosen." />
        <SameCommand project={Object.keys(problems).length === 0 ? projectOf(draft, inspection) : undefined} />
      </div>
    </details>
  )
}

function SameCommand({ project }: { project: NewProject | undefined }) {
  return (
    <div className="start-command">
      <h3>The same as a command</h3>
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
        <p className="small quiet">It appears here once nothing above is missing.</p>
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
