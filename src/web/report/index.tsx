import { useState } from 'react'
import type { View } from '../../protocol/points.ts'
import type { Project } from '../../protocol/project.ts'
import type { AskedQuestion } from '../../protocol/questions.ts'
import type { Report } from '../../protocol/report.ts'
import { pageTexts } from '../../text/shares.ts'
import { count, counted } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { FailureNote, Tag } from '../parts/Note.tsx'
import { Point, Thumb } from '../parts/Point.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { Table } from '../parts/Table.tsx'
import { errorsTitle, heldWords, mostMistaken, words } from '../text/report.ts'
import { bare, endOf, Interval } from './Interval.tsx'
import { JudgeCard } from './Judge.tsx'
import './report.css'

/** What an audit has found beside what was asked: by class, by mix-up, by group, and the errors one by one. */
export function Findings({ project }: { project: Project }) {
  const { audit, certificates } = project
  const questions = audit?.questions ?? certificates.at(-1)?.questions ?? []
  const version = `${audit?.model} ${audit?.steps.length} ${certificates.length} ${certificates.filter((one) => one.isRevised).length}`
  const { value: report, failure } = useLoaded(() => api.report(), version)
  if (failure) return <FailureNote failure={failure} />
  if (!report || report.answers === 0) return null
  return (
    <>
      <JudgeCard questions={questions} report={report} />
      {report.classes.length > 0 && <ClassesCard report={report} />}
      <div className="cols report-halves">
        {report.cells.length > 0 && <MixCard report={report} />}
        {report.slices.length > 0 && <GroupsCard slices={report.slices} />}
      </div>
      {report.classes.length > 0 && <ErrorsCard report={report} view={project.view} of={questions[0]} />}
      <p className="caption">{words.truth}</p>
    </>
  )
}

export function ClassTable({ classes }: Pick<Report, 'classes'>) {
  return (
    <Table
      caption={words.classes}
      rows={classes}
      keyOf={({ name }) => name}
      columns={[
        { title: '', cell: ({ name }) => <b dir="auto">{name}</b> },
        { title: words.inFile, isNumber: true, isWideOnly: true, cell: ({ predicted }) => count(predicted) },
        { title: scaled(words.right, 1), cell: ({ precision }) => <Interval asked={precision} end={1} /> },
        { title: scaled(words.finds, 1), cell: ({ recall }) => <Interval asked={recall} end={1} /> },
      ]}
    />
  )
}

/** A head that names the scale of the ranges below it. */
const scaled = (title: string, end: number) => (
  <>
    {title} <span className="report-scale">{words.scale(end)}</span>
  </>
)

function ClassesCard({ report }: { report: Report }) {
  return (
    <Card title={words.classes} note={words.alone} className="report-card" id="classes">
      <ClassTable classes={report.classes} />
    </Card>
  )
}

/** Rows are what people answered, columns what was predicted; the darker, the more. */
function MixCard({ report }: { report: Report }) {
  const { classes, cells } = report
  const wrong = cells.flatMap((row, k) => row.flatMap(({ value }, j) => (j === k ? [] : [value ?? 0])))
  const most = Math.max(...wrong, 1e-9)
  const telling = mostMistaken(report)
  return (
    <Card title={words.mix} note={words.mixNote} className="report-card" id="mix">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls inside, and must do so by keyboard too */}
      <section className="table-scroll" aria-label={words.mix} tabIndex={0}>
        <table className="report-mix">
          <thead>
            <tr>
              <td />
              {classes.map(({ name }) => (
                <th key={name} scope="col" dir="auto">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((row, k) => (
              <tr key={classes[k]!.name}>
                <th scope="row" dir="auto">
                  {classes[k]!.name}
                </th>
                {row.map((asked, j) => (
                  <MixCell
                    key={classes[j]!.name}
                    asked={asked}
                    shade={j === k ? 0 : (asked.value ?? 0) / most}
                    isRight={j === k}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {telling && <p className="caption">{telling}</p>}
    </Card>
  )
}

function MixCell({ asked, shade, isRight }: { asked: AskedQuestion; shade: number; isRight: boolean }) {
  const { value, low, high } = asked
  if (value === null || low === null || high === null) return <td>{words.dash}</td>
  const texts = pageTexts({ value, low, high })
  return (
    <td className={isRight ? 'is-right' : undefined} style={{ '--shade': `${Math.round(70 * shade)}%` } as React.CSSProperties}>
      <b>{texts.value}</b>
      <small>{words.fromTo(bare(texts.low), bare(texts.high))}</small>
    </td>
  )
}

/** Where it is worse: the groups of one column at a time, each beside the whole file. */
function GroupsCard({ slices }: Pick<Report, 'slices'>) {
  const [column, setColumn] = useState(slices[0]!.column)
  const { rows, whole } = slices.find((table) => table.column === column) ?? slices[0]!
  const of = slices.reduce((sum, table) => sum + table.rows.length, 0)
  const end = endOf([...rows, whole])
  const isWorse = ({ low }: AskedQuestion) => low !== null && whole.high !== null && low > whole.high
  return (
    <Card
      title={words.groups}
      note={slices.length === 1 ? words.apartBy(column) : undefined}
      className="report-card"
      id="groups"
      aside={
        slices.length > 1 && (
          <Segmented
            label={words.apart}
            options={slices.map((table) => ({ value: table.column, text: table.column }))}
            value={column}
            onChange={setColumn}
          />
        )
      }
    >
      <Table
        caption={words.groups}
        rows={[...rows, whole]}
        keyOf={({ slice }) => slice?.value ?? ''}
        columns={[
          {
            title: '',
            cell: ({ slice, answers }) => (
              <>
                <b dir="auto">{slice?.value ?? words.whole}</b>
                <small className="faint report-answers">{counted(answers, 'answer')}</small>
              </>
            ),
          },
          {
            title: scaled(words.wrong, end),
            cell: (asked) => (
              <>
                <Interval asked={asked} end={end} />
                {asked.slice && isWorse(asked) && <Tag>{words.worse}</Tag>}
                {asked.slice && !isWorse(asked) && asked.answers < 40 && (
                  <small className="faint report-answers">{words.few}</small>
                )}
              </>
            ),
          },
        ]}
      />
      <p className="caption">{words.groupsNote(of)}</p>
    </Card>
  )
}

const shownAtFirst = 20

/** Every error that was found, each of which can be read in full. */
function ErrorsCard({ report, view, of }: { report: Report; view: View; of: AskedQuestion | undefined }) {
  const [read, setRead] = useState<string>()
  const [isAll, setAll] = useState(false)
  const errors = isAll ? report.errors : report.errors.slice(0, shownAtFirst)
  return (
    <Card
      title={report.found === 0 ? words.noErrors : errorsTitle(report)}
      note={`${words.errorsNote}${of?.metric === 'error' ? heldWords(of) : ''}`}
      className="report-card"
      id="errors"
    >
      {errors.length > 0 && (
        <Table
          className="report-errors"
          caption={errorsTitle(report)}
          rows={errors}
          keyOf={({ content }) => content.id}
          below={({ content }) =>
            read === content.id && (
              <div className="report-whole">
                <Point view={view} content={content} />
              </div>
            )
          }
          columns={[
            {
              title: words.whatRead,
              cell: ({ content }) => (
                <button
                  type="button"
                  className="read-button"
                  aria-expanded={read === content.id}
                  onClick={() => setRead(read === content.id ? undefined : content.id)}
                >
                  <span className="heard">{words.read} </span>
                  <Thumb view={view} content={content} />
                </button>
              ),
            },
            {
              title: words.inFile,
              cell: ({ predicted }) => (
                <s className="quiet" dir="auto">
                  {predicted}
                </s>
              ),
            },
            { title: words.answer, cell: ({ answer }) => <b dir="auto">{answer}</b> },
          ]}
        />
      )}
      {report.errors.length > errors.length && (
        <Button kind="bare" onClick={() => setAll(true)}>
          {words.showAll(report.errors.length)}
        </Button>
      )}
    </Card>
  )
}
