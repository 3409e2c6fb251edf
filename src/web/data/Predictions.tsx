import type { PredictionRow } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Note } from '../parts/Note.tsx'
import { Point } from '../parts/Point.tsx'
import { Table } from '../parts/Table.tsx'
import { PrimaryLink } from '../shell/PrimaryLink.tsx'
import { ListCard } from './ListCard.tsx'
import { useList } from './use-list.ts'
import { aboutPredictions, noMatch } from './words.ts'

interface Props {
  project: Project
  search: string
}

/** What the newest model says of every point it may be shown for. Rows lead nowhere: a prediction must not decide what is labelled. */
export function Predictions({ project, search }: Props) {
  const list = useList(api.predictions, search, `${project.model?.id} ${project.answers} ${project.phase.kind}`)
  const { page } = list
  return (
    <>
      {page && page.of > 0 && <Note>{aboutPredictions(page, project)}</Note>}
      <ListCard list={list} nothing={search === '' ? <NoPredictions /> : <p>{noMatch('prediction', search)}</p>}>
        <Table
          className="data-table"
          caption="Predictions"
          rows={page?.rows ?? []}
          keyOf={({ content }) => content.id}
          columns={[
            { title: 'Point', cell: ({ content }) => <Point view={project.view} content={content} size="thumb" /> },
            { title: 'id', isWideOnly: true, cell: ({ content }) => <span className="mono">{content.id}</span> },
            { title: 'Prediction', cell: ({ prediction }) => <b>{prediction}</b> },
            { title: 'Confidence', cell: (row) => <Confidence {...row} /> },
            { title: 'Source', cell: ({ source }) => source },
          ]}
        />
      </ListCard>
    </>
  )
}

function Confidence({ confidence }: PredictionRow) {
  if (confidence === undefined) return <span className="faint">answered</span>
  return (
    <span className="data-confidence">
      <i>
        <i style={{ width: `${100 * confidence}%` }} />
      </i>
      {confidence.toFixed(2)}
    </span>
  )
}

function NoPredictions() {
  return (
    <>
      <p>No predictions yet. The first model learns when round 1 closes.</p>
      <PrimaryLink to="/label">Label</PrimaryLink>
    </>
  )
}
