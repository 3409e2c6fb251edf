import { useEffect, useRef, useState } from 'react'
import type { AnswerRow } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Button } from '../parts/Button.tsx'
import { Point } from '../parts/Point.tsx'
import { Tag } from '../parts/Tag.tsx'
import { Link } from '../shell/routes.tsx'
import { ListCard } from './ListCard.tsx'
import { RowEditor } from './RowEditor.tsx'
import { useList } from './useList.ts'
import { noMatch, probabilityText, roundName, weightText, whenOf } from './words.ts'

interface Props {
  project: Project
  search: string
  /** Told how many there are, whenever that may have changed. */
  onCounted: (answers: number) => void
}

/** Every answer on record, newest first. */
export function Answers({ project, search, onCounted }: Props) {
  const list = useList(api.answers, search, `${project.answers} ${project.rounds.length} ${project.phase.kind}`)
  const [edited, setEdited] = useState<string>()
  const [said, setSaid] = useState('')
  const total = list.page?.of
  useEffect(() => {
    if (total !== undefined) onCounted(total)
  }, [total, onCounted])
  const now = new Date()
  return (
    <ListCard list={list} nothing={search === '' ? <NoAnswers /> : <p>{noMatch('answer', search)}</p>}>
      <p className="heard" role="status">
        {said}
      </p>
      <table className="table data-table">
        <caption className="heard">Answers, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Point</th>
            <th scope="col" className="wide-only">
              id
            </th>
            <th scope="col">Label</th>
            <th scope="col">Round</th>
            <th scope="col" className="is-number wide-only">
              Order
            </th>
            <th scope="col" className="is-number wide-only">
              Probability
            </th>
            <th scope="col" className="is-number wide-only">
              Weight
            </th>
            <th scope="col" className="wide-only">
              By
            </th>
            <th scope="col" className="is-number wide-only">
              Time
            </th>
            <th scope="col">
              <span className="heard">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.page?.rows.map((row) => {
            const key = `${row.round} ${row.order} ${row.content.id}`
            return (
              <Answer
                key={key}
                row={row}
                project={project}
                now={now}
                isEdited={key === edited}
                onEdit={(isEdited) => setEdited(isEdited ? key : undefined)}
                onRevised={(words) => {
                  setSaid(words)
                  list.again()
                }}
              />
            )
          })}
        </tbody>
      </table>
    </ListCard>
  )
}

interface AnswerProps {
  row: AnswerRow
  project: Project
  now: Date
  isEdited: boolean
  onEdit: (isEdited: boolean) => void
  onRevised: (words: string) => void
}

function Answer({ row, project, now, isEdited, onEdit, onRevised }: AnswerProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const { content, label, isOpen, isRevised } = row
  function close() {
    onEdit(false)
    opener.current?.focus()
  }
  return (
    <>
      <tr className={isEdited ? 'is-edited' : undefined}>
        <td className="data-point">
          <Point view={project.view} content={content} size="thumb" />
        </td>
        <td className="mono wide-only">{content.id}</td>
        <td className="data-label">
          {label === null ? <i className="quiet">cannot tell</i> : <b>{label}</b>} {isRevised && <Tag>revised</Tag>}
        </td>
        <td>
          {roundName(row)} {isOpen && <span className="small faint">open</span>}
        </td>
        <td className="is-number wide-only">{row.order}</td>
        <td className="is-number wide-only">{probabilityText(row.probability)}</td>
        <td className={row.weight === undefined ? 'is-number wide-only faint' : 'is-number wide-only'}>{weightText(row)}</td>
        <td className="wide-only">{row.annotator}</td>
        <td className="is-number wide-only quiet">
          <time dateTime={row.time} title={new Date(row.time).toLocaleString('en-GB')}>
            {whenOf(row.time, now)}
          </time>
        </td>
        <td className="data-revise">
          <Button
            kind="bare"
            ref={opener}
            aria-expanded={isEdited}
            aria-label={`Revise ${content.id}`}
            onClick={() => onEdit(!isEdited)}
          >
            Revise
          </Button>
        </td>
      </tr>
      {isEdited && (
        <tr className="data-edit">
          <td colSpan={10}>
            <RowEditor row={row} classes={project.classes} onClose={close} onRevised={onRevised} />
          </td>
        </tr>
      )}
    </>
  )
}

function NoAnswers() {
  return (
    <>
      <p>No answers yet. They appear here as you give them.</p>
      <Link className="button primary" to="/label">
        Label
      </Link>
    </>
  )
}
