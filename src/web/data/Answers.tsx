import { useEffect, useRef, useState } from 'react'
import type { AnswerRow } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Button } from '../parts/Button.tsx'
import { Tag } from '../parts/Note.tsx'
import { type ListColumn, Table } from '../parts/Table.tsx'
import { probabilityText, roundName, weightText, whenOf, words } from '../text/data.ts'
import { ListCard } from './ListCard.tsx'
import { ReadButton, WholePoint } from './Reading.tsx'
import { RowEditor } from './RowEditor.tsx'
import { useList } from './use-list.ts'

const { columns } = words

interface Props {
  project: Project
  search: string
  /** Told how many there are, whenever that may have changed. */
  onCounted: (answers: number) => void
}

export function Answers({ project, search, onCounted }: Props) {
  const list = useList(api.answers, search, `${project.answers} ${project.rounds.length} ${project.phase.kind}`)
  const [edited, setEdited] = useState<string>()
  const [read, setRead] = useState<string>()
  const [said, setSaid] = useState('')
  const openers = useRef(new Map<string, HTMLButtonElement | null>())
  const total = list.page?.of
  useEffect(() => {
    if (total !== undefined) onCounted(total)
  }, [total, onCounted])

  function close(row: AnswerRow) {
    setEdited(undefined)
    openers.current.get(keyOf(row))?.focus()
  }
  function onRevised(words: string) {
    setSaid(words)
    list.again()
  }

  return (
    <ListCard list={list} kind="answer" search={search} none={words.noAnswers}>
      <p className="heard" role="status">
        {said}
      </p>
      <Table
        className="data-table"
        caption={words.answersTable}
        rows={list.page?.rows ?? []}
        keyOf={keyOf}
        columns={[
          {
            title: columns.thing,
            cell: (row) => (
              <ReadButton
                view={project.view}
                content={row.content}
                isOpen={keyOf(row) === read}
                onToggle={() => setRead(keyOf(row) === read ? undefined : keyOf(row))}
              />
            ),
          },
          ...facts(new Date()),
          {
            title: <span className="heard">{columns.change}</span>,
            className: 'data-revise',
            cell: (row) => (
              <Button
                kind="bare"
                ref={(button) => void openers.current.set(keyOf(row), button)}
                aria-expanded={keyOf(row) === edited}
                aria-label={words.reviseOf(row.content.id)}
                onClick={() => setEdited(keyOf(row) === edited ? undefined : keyOf(row))}
              >
                {words.revise}
              </Button>
            ),
          },
        ]}
        below={(row) => {
          const [isEdited, isRead] = [keyOf(row) === edited, keyOf(row) === read]
          if (!isEdited && !isRead) return undefined
          return (
            <>
              {project.view.kind !== 'bitmap' && <WholePoint view={project.view} content={row.content} />}
              {isEdited && <RowEditor row={row} classes={project.classes} onClose={() => close(row)} onRevised={onRevised} />}
            </>
          )
        }}
      />
    </ListCard>
  )
}

const keyOf = ({ round, order, content }: AnswerRow) => `${round} ${order} ${content.id}`

function facts(now: Date): ListColumn<AnswerRow>[] {
  return [
    { title: columns.id, isWideOnly: true, className: 'mono', cell: ({ content }) => content.id },
    {
      title: columns.answer,
      className: 'data-label',
      cell: ({ label, isRevised }) => (
        <>
          {label === null ? <i className="quiet">{words.unknown}</i> : <b dir="auto">{label}</b>}{' '}
          {isRevised && <Tag>{words.revised}</Tag>}
        </>
      ),
    },
    {
      title: columns.round,
      cell: (row) => (
        <>
          {roundName(row)} {row.isOpen && <span className="small faint">{words.open}</span>}
        </>
      ),
    },
    { title: columns.order, isNumber: true, isWideOnly: true, cell: ({ order }) => order },
    { title: columns.chance, isNumber: true, isWideOnly: true, cell: ({ probability }) => probabilityText(probability) },
    {
      title: columns.counts,
      isNumber: true,
      isWideOnly: true,
      cell: (row) => <span className={row.weight === undefined ? 'faint' : undefined}>{weightText(row)}</span>,
    },
    { title: columns.by, isWideOnly: true, cell: ({ annotator }) => annotator },
    {
      title: columns.time,
      isNumber: true,
      isWideOnly: true,
      cell: ({ time }) => (
        <time className="quiet" dateTime={time} title={new Date(time).toLocaleString('en-GB')}>
          {whenOf(time, now)}
        </time>
      ),
    },
  ]
}
