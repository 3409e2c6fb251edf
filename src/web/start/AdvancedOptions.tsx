import type { Inspection } from '../../protocol/start.ts'
import { SelectField, TextField } from '../parts/Field.tsx'
import { CopiedLine } from './CopiedLine.tsx'
import { commandLine, remarksOn } from './command.ts'
import { type Draft, losses, type NewProject, type Numeric, type Problems, projectOf } from './draft.ts'
import { NumberField } from './NumberField.tsx'

interface Props {
  draft: Draft
  inspection: Inspection
  problems: Problems
  problemOf: (field: keyof Problems) => string | undefined
  onChange: (part: Partial<Draft>) => void
}

/** What few people change, and the command that does the same as this page. */
export function EverythingElse({ draft, inspection, problems, problemOf, onChange }: Props) {
  const numberField = (field: Numeric, placeholder: string, hint: string) => (
    <NumberField
      field={field}
      value={draft[field]}
      placeholder={placeholder}
      hint={hint}
      error={problemOf(field)}
      onChange={(value) => onChange({ [field]: value })}
    />
  )
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
          onChange={(event) => onChange({ project: event.target.value })}
        />
        <SelectField
          label="Loss"
          hint="What the learner minimises."
          value={draft.loss}
          error={problemOf('loss')}
          onChange={(event) => onChange({ loss: event.target.value })}
        >
          {losses.map((loss) => (
            <option key={loss}>{loss}</option>
          ))}
        </SelectField>
        {numberField('l2', '1', 'Its strength: more keeps the model simpler.')}
        {numberField('weighting', 'the strategy’s', 'The power they are taken to: 0 none, 1 full.')}
        {numberField('seed', 'fresh', 'Repeats a draw. A certificate says that it was chosen.')}
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
