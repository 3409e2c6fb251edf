import { useState } from 'react'
import type { View } from '../../protocol/points.ts'
import type { Project } from '../../protocol/project.ts'
import type { AskedQuestion } from '../../protocol/questions.ts'
import type { Report } from '../../protocol/report.ts'
import { pageTexts } from '../../text/shares.ts'
import { counted } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { FailureNote, Tag } from '../parts/Note.tsx'
import { Point, Thumb } from '../parts/Point.tsx'
import { Table } from '../parts/Table.tsx'
import { errorsTitle, mostMistaken, words } from '../text/report.ts'
import { Interval } from './Interval.tsx'
import './report.css'

/** What an audit has found beside what was asked: by class, by mix-up, by group, and the errors one by one. */
export function Findings({ project }: { project: Project }) {
  const { audit, certificates } = project
  const version = `${audit?.model} ${audit?.steps.length} ${certificates.length} ${certificates.filter((one) => one.isRevised).length}`
  const { value: report, failure } = useLoaded(() => api.report(), version)
  if (failure) return <FailureNote failure={failure} />
  if (!report || report.answers === 0) return null
  return (
    <>
      {report.classes.length > 0 && <ClassesCard report={report} />}
      {report.cells.length > 0 && <MixCard report={report} />}
      {report.slices.map((table) => (
        <GroupsCard key={table.column} table={table} of={report.slices.reduce((sum, { rows }) => sum + rows.length, 0)} />
      ))}
      {report.classes.length > 0 && <ErrorsCard report={report} view={project.view} />}
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
        { title: words.inFile, isNumber: true, isWideOnly: true, cell: ({ predicted }) => predicted.toLocaleString('en-US') },
        { title: words.right, cell: ({ precision }) => <Interval asked={precision} /> },
        { title: words.finds, cell: ({ recall }) => <Interval asked={recall} /> },
      ]}
    />
  )
}

function ClassesCard({ report }: { report: Report }) {
  return (
    <Card title={words.classes} note={words.alone} className="report-card">
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
    <Card title={words.mix} note={words.mixNote} className="report-card">
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
  if (value === null || low === null || high === null) return <td>–</td>
  const texts = pageTexts({ value, low, high })
  return (
    <td className={isRight ? 'is-right' : undefined} style={{ '--shade': `${Math.round(70 * shade)}%` } as React.CSSProperties}>
      <b>{texts.value}</b>
      <small>
        {texts.low} to {texts.high}
      </small>
    </td>
  )
}

function GroupsCard({ table: { column, rows, whole }, of }: { table: Report['slices'][number]; of: number }) {
  const isWorse = ({ low }: AskedQuestion) => low !== null && whole.high !== null && low > whole.high
  return (
    <Card title={words.groups(column)} note={words.groupsNote(of)} className="report-card">
      <Table
        caption={words.groups(column)}
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
          { title: 'Wrong', cell: (asked) => <Interval asked={asked} /> },
          {
            title: '',
            cell: (asked) => {
              if (!asked.slice) return null
              if (isWorse(asked)) return <Tag>{words.worse}</Tag>
              return asked.answers < 40 ? <span className="small faint">{words.few}</span> : null
            },
          },
        ]}
      />
    </Card>
  )
}

const shownAtFirst = 20

/** Every error that was found, each of which can be read in full. */
function ErrorsCard({ report, view }: { report: Report; view: View }) {
  const [read, setRead] = useState<string>()
  const [isAll, setAll] = useState(false)
  const errors = isAll ? report.errors : report.errors.slice(0, shownAtFirst)
  return (
    <Card title={report.found === 0 ? words.noErrors : errorsTitle(report)} note={words.errorsNote} className="report-card">
      {errors.length > 0 && (
        <Table
          className="data-table"
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
              title: 'What was read',
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
              title: 'Predicted',
              cell: ({ predicted }) => (
                <s className="quiet" dir="auto">
                  {predicted}
                </s>
              ),
            },
            { title: 'Answer', cell: ({ answer }) => <b dir="auto">{answer}</b> },
          ]}
        />
      )}
      {report.errors.length > errors.length && (
        <Button kind="bare" onClick={() => setAll(true)}>
          Show all {report.errors.length}
        </Button>
      )}
    </Card>
  )
}
