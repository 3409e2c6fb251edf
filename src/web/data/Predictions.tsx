import type { PredictionRow } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Note } from '../parts/Note.tsx'
import { Thumb } from '../parts/Point.tsx'
import { Table } from '../parts/Table.tsx'
import { ListCard } from './ListCard.tsx'
import { useList } from './use-list.ts'
import { aboutPredictions } from './words.ts'

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
      <ListCard
        list={list}
        kind="prediction"
        search={search}
        none="No predictions yet. The first model learns when round 1 closes."
      >
        <Table
          className="data-table"
          caption="Predictions"
          rows={page?.rows ?? []}
          keyOf={({ content }) => content.id}
          columns={[
            { title: 'Point', cell: ({ content }) => <Thumb view={project.view} content={content} /> },
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
