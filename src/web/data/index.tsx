import { useEffect, useRef, useState } from 'react'
import type { ModelChoice, PageRequest, PredictionRow } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { count } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Note, Tag } from '../parts/Note.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { Table } from '../parts/Table.tsx'
import { useDelayed } from '../parts/use-timers.ts'
import { navigate, useParameter } from '../shell/routes.tsx'
import { aboutPredictions, words } from '../text/data.ts'
import { certifiedOf } from '../text/now.ts'
import { Answers } from './Answers.tsx'
import { ExportPanel } from './ExportPanel.tsx'
import { ListCard } from './ListCard.tsx'
import { ReadButton, WholePoint } from './Reading.tsx'
import { useList } from './use-list.ts'
import './data.css'

type Tab = 'answers' | 'predictions'

/** What was answered, and what the model says of the rest. To look at and to correct, never to choose what to label next. */
export function Data({ project }: { project: Project }) {
  const tab: Tab = useParameter('tab') === 'predictions' ? 'predictions' : 'answers'
  const [search, setSearch] = useState('')
  const [answers, setAnswers] = useState<number>()
  const [predictions, setPredictions] = useState<number>()
  const [isExporting, setIsExporting] = useState(false)
  const sought = useDelayed(search.trim(), 200)
  const isBlind = project.audit !== undefined
  const certified = certifiedOf(project)
  const [choice, setChoice] = useState<ModelChoice>('certified')
  const isLearnedOn = certified !== undefined && certified.model !== project.model?.id
  const exporter = useRef<HTMLButtonElement>(null)
  function closeExport() {
    setIsExporting(false)
    exporter.current?.focus()
  }
  const show = (chosen: Tab) => navigate(chosen === 'answers' ? '/data' : '/data?tab=predictions', 'replace')
  return (
    <main className="page data-page" tabIndex={-1}>
      <div className="spread">
        <h1>{words.title}</h1>
        <Button ref={exporter} aria-expanded={isExporting} aria-controls="export" onClick={() => setIsExporting(!isExporting)}>
          {words.export}
        </Button>
      </div>
      <div className="tools data-tools">
        <Segmented
          label={words.show}
          role="tablist"
          controls="data-list"
          options={[
            { value: 'answers', text: `${words.answers} ${count(answers ?? project.answers)}` },
            {
              value: 'predictions',
              text: predictions === undefined ? words.predictions : `${words.predictions} ${count(predictions)}`,
            },
          ]}
          value={tab}
          onChange={show}
        />
        <SearchField value={search} onChange={setSearch} />
      </div>
      {isLearnedOn && (tab === 'predictions' || isExporting) && (
        <Segmented label={words.whose} options={words.models(certified.after)} value={choice} onChange={setChoice} />
      )}
      <div
        id="data-list"
        className="data-list"
        role="tabpanel"
        aria-label={tab === 'answers' ? words.answers : words.predictions}
      >
        {isBlind && (tab === 'predictions' || isExporting) && <Note>{words.blind}</Note>}
        {tab === 'answers' ? (
          <Answers project={project} search={sought} onCounted={setAnswers} />
        ) : (
          !isBlind && <Predictions project={project} search={sought} model={choice} onCounted={setPredictions} />
        )}
      </div>
      {isExporting && !isBlind && <ExportPanel project={project} model={choice} onClose={closeExport} />}
    </main>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <div className="data-search">
      <Icon name="search" />
      <input
        className="input"
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

interface PredictionsProps {
  project: Project
  search: string
  model: ModelChoice
  onCounted: (of: number) => void
}

/** What the certified model says of every point it may be shown for, or the newest. Rows lead nowhere: a prediction must not decide what is labelled. */
function Predictions({ project, search, model, onCounted }: PredictionsProps) {
  const version = `${project.model?.id} ${project.certificates.length} ${project.answers} ${project.phase.kind} ${model}`
  const list = useList((request: PageRequest) => api.predictions({ ...request, model }), search, version)
  const { page } = list
  const isAudit = project.purpose === 'audit'
  const [read, setRead] = useState<string>()
  const of = page?.of
  useEffect(() => {
    if (of !== undefined) onCounted(of)
  }, [of, onCounted])
  return (
    <>
      {page && page.of > 0 && <Note>{aboutPredictions(page, project)}</Note>}
      <ListCard list={list} kind="prediction" search={search} none={isAudit ? words.hiddenYet : words.noModel}>
        <Table
          className="data-table"
          caption={words.predictions}
          below={({ content }) => read === content.id && <WholePoint view={project.view} content={content} />}
          rows={page?.rows ?? []}
          keyOf={({ content }) => content.id}
          columns={[
            {
              title: words.columns.thing,
              cell: ({ content }) => (
                <ReadButton
                  view={project.view}
                  content={content}
                  isOpen={read === content.id}
                  onToggle={() => setRead(read === content.id ? undefined : content.id)}
                />
              ),
            },
            { title: words.columns.id, isWideOnly: true, cell: ({ content }) => <span className="mono">{content.id}</span> },
            { title: words.columns.prediction, cell: ({ prediction }) => <b dir="auto">{prediction}</b> },
            ...(isAudit
              ? [{ title: words.columns.answer, cell: Answered }]
              : [
                  { title: words.columns.confidence, cell: Confidence },
                  { title: words.columns.source, cell: ({ source }: PredictionRow) => source },
                ]),
          ]}
        />
      </ListCard>
    </>
  )
}

function Answered({ prediction, answer }: PredictionRow) {
  if (answer === null) return <i className="quiet">{words.unknown}</i>
  return (
    <>
      <bdi>{answer}</bdi> {answer !== prediction && <Tag>{words.wrong}</Tag>}
    </>
  )
}

function Confidence({ confidence }: PredictionRow) {
  if (confidence === undefined) return <span className="faint">{words.answered}</span>
  return (
    <span className="data-confidence">
      <i>
        <i style={{ width: `${100 * confidence}%` }} />
      </i>
      {confidence.toFixed(2)}
    </span>
  )
}
