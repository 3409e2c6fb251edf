import { useState } from 'react'
import type { Inspection, Role } from '../../protocol/start.ts'
import { Button } from '../parts/Button.tsx'
import { Tag } from '../parts/Note.tsx'
import { Bitmap } from '../parts/Point.tsx'
import { Table } from '../parts/Table.tsx'
import { parts } from '../text/start-parts.ts'
import { type Choices, type ColumnGroup, chooseRole, chooseShown, groupColumns, reasonOf, roleOf, seenIn } from './columns.ts'

interface Props {
  inspection: Inspection
  choices: Choices
  isBusy: boolean
  onChoose: (choices: Choices) => void
}

/** Enough for most files; the rest on request. */
const atFirst = 12

export function Columns({ inspection, choices, isBusy, onChoose }: Props) {
  const [isWhole, setIsWhole] = useState(false)
  const { columns, view } = inspection
  const groups = groupColumns(columns, view)
  const seen = choices.shown ?? seenIn(inspection)
  const shown = isWhole ? groups : groups.slice(0, atFirst)
  const names = (group: ColumnGroup) => group.columns.map(({ name }) => name)
  return (
    <div className="card start-columns" aria-busy={isBusy}>
      <Table
        caption={parts.columnsTable}
        rows={shown}
        keyOf={({ title }) => title}
        columns={[
          {
            title: 'Column',
            cell: (group) => (
              <div className="start-column">
                <span className="mono">{group.title}</span>
                <Examples group={group} inspection={inspection} />
              </div>
            ),
          },
          {
            title: 'Used as',
            cell: (group) => (
              <UsedAs
                group={group}
                view={view}
                role={choices.roles[group.columns[0]!.name] ?? roleOf(group)}
                onChoose={(role) => onChoose(chooseRole(choices, inspection, names(group), role))}
              />
            ),
          },
          {
            title: 'Shown',
            cell: (group) => (
              <label className="start-shown">
                <input
                  type="checkbox"
                  aria-label={`${group.title} is shown to people`}
                  checked={group.isPicture || names(group).every((name) => seen.includes(name))}
                  disabled={group.isPicture || (!choices.shown && String(seen) === String(names(group)))} // something must be shown
                  onChange={(event) => onChoose(chooseShown(choices, inspection, names(group), event.target.checked))}
                />
              </label>
            ),
          },
        ]}
      />
      {shown.length < groups.length && (
        <Button kind="bare" onClick={() => setIsWhole(true)}>
          {parts.showAll(groups.length)}
        </Button>
      )}
    </div>
  )
}

/** What a column can be used for, in words; in this order in the menu. */
const uses: Readonly<Record<Role, string>> = {
  number: 'Numbers to learn from',
  category: 'Categories to learn from',
  text: 'Words to learn from',
  vector: 'Vectors to learn from',
  show: 'Shown, not learned from',
  id: 'The id of a row',
  label: 'Answers, kept aside',
  ignored: 'Left out',
}

/** Many columns together are neither the id nor the answers. */
const single: readonly Role[] = ['id', 'label']
const ofPictures: readonly Role[] = ['number', 'ignored']

interface UsedAsProps {
  group: ColumnGroup
  view: Inspection['view']
  role: Role
  onChoose: (role: Role) => void
}

function UsedAs({ group, view, role, onChoose }: UsedAsProps) {
  const { columns, title, isPicture } = group
  const reason = reasonOf(group)
  const offered = (Object.keys(uses) as Role[]).filter((use) =>
    isPicture ? ofPictures.includes(use) : columns.length === 1 || !single.includes(use),
  )
  const words = (use: Role) =>
    isPicture && use === 'number' && view.kind === 'bitmap' ? `Picture, ${view.width} × ${view.height}, and features` : uses[use]
  return (
    <div className="start-use">
      <select aria-label={`${title} is used as`} value={role} onChange={(event) => onChoose(event.target.value as Role)}>
        {offered.map((use) => (
          <option key={use} value={use}>
            {words(use)}
          </option>
        ))}
      </select>
      {columns.some(({ looksLikeAnswers }) => looksLikeAnswers) && <Tag>{parts.looksLikeAnswers}</Tag>}
      {reason && <span className="small faint">{reason}</span>}
    </div>
  )
}

function Examples({ group, inspection: { view, samples } }: { group: ColumnGroup; inspection: Inspection }) {
  if (group.isPicture && view.kind === 'bitmap') {
    return (
      <span className="start-samples">
        {samples.slice(0, 4).map((cells, i) => (
          <span className="thumb" key={i}>
            <Bitmap width={view.width} height={view.height} cells={cells} />
          </span>
        ))}
      </span>
    )
  }
  return <span className="clipped tiny mono faint">{group.columns[0]!.examples.slice(0, 3).join(', ')}</span>
}
