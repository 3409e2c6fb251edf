import { type ReactNode, useState } from 'react'
import type { Inspection } from '../../protocol/start.ts'
import { Button } from '../parts/Button.tsx'
import { Bitmap } from '../parts/Point.tsx'
import { startWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { type ColumnGroup, groupColumns } from './columns.ts'

/** How a column is marked: seen by people, measured, or left out. */
export type Mark = 'on' | 'off' | ''

interface Props {
  inspection: Inspection
  /** The role of a column or group of columns now. */
  roleOf: (group: ColumnGroup) => string
  offered: (group: ColumnGroup) => readonly { readonly value: string; readonly text: string }[]
  markOf: (role: string) => Mark
  onChoose: (group: ColumnGroup, role: string) => void
  isBusy?: boolean
  /** Below the rows. */
  note?: ReactNode
  /** Words beside a role that need saying: why a column is left out. */
  remarkOf?: (group: ColumnGroup) => string | undefined
}

const atOnce = 5
const mostShown = 30

/** The first rows of the file, with the role of each column above it. */
export function FirstRows({ inspection, roleOf, offered, markOf, onChoose, isBusy = false, note, remarkOf }: Props) {
  const [from, setFrom] = useState(0)
  const { columns, view, preview, samples, rows } = inspection
  const all = groupColumns(columns, view).slice(0, mostShown)
  const isNarrow = matchMedia('(max-width: 899px)').matches
  const marked = (group: ColumnGroup) => (markOf(roleOf(group)) === 'on' ? 0 : 1)
  const groups = isNarrow ? all.toSorted((a, b) => marked(a) - marked(b)) : all
  const placeOf = new Map(columns.map(({ name }, j) => [name, j]))
  const shown = preview.slice(from, from + atOnce)
  const cell = (group: ColumnGroup, k: number) => {
    if (group.isPicture && view.kind === 'bitmap') {
      const cells = samples[from + k]
      return cells && <Bitmap width={view.width} height={view.height} cells={cells} />
    }
    const values = group.columns.slice(0, 4).map(({ name }) => shown[k]![placeOf.get(name)!] ?? '')
    return values.join(', ')
  }
  return (
    <section className="start-rows">
      <div className="spread">
        <div>
          <h2>{parts.firstRows}</h2>
          <p className="small faint">{isBusy ? parts.readingAgain : startWords.firstRows}</p>
        </div>
        {preview.length > atOnce && (
          <Button kind="bare" onClick={() => setFrom(from + atOnce < preview.length ? from + atOnce : 0)}>
            {parts.otherRows}
          </Button>
        )}
      </div>
      <div className="card start-preview">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls inside, and must do so by keyboard too */}
        <section className="table-scroll" aria-label={parts.firstRows} tabIndex={0}>
          <table aria-busy={isBusy}>
            <thead>
              <tr>
                {groups.map((group) => (
                  <ColumnHead key={group.title} {...{ group, roleOf, offered, markOf, onChoose, remarkOf }} />
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((_, k) => (
                <tr key={from + k}>
                  {groups.map((group) => (
                    <td key={group.title} dir="auto" className={markOf(roleOf(group)) === 'on' ? 'is-read' : undefined}>
                      {cell(group, k)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <p className="start-more-rows small faint">
          <span>{note}</span>
          <span>{parts.rowsOf(from + 1, from + shown.length, rows)}</span>
        </p>
      </div>
    </section>
  )
}

interface HeadProps extends Pick<Props, 'roleOf' | 'offered' | 'markOf' | 'onChoose'> {
  group: ColumnGroup
  remarkOf: Props['remarkOf'] | undefined
}

/** What a column is called, and what it is for, which can be changed. */
function ColumnHead({ group, roleOf, offered, markOf, onChoose, remarkOf }: HeadProps) {
  const role = roleOf(group)
  const remark = remarkOf?.(group)
  return (
    <th scope="col">
      <code>{group.title}</code>
      <select
        className={`start-role ${markOf(role)}`}
        aria-label={parts.isUsed(group.title)}
        value={role}
        onChange={({ target }) => onChoose(group, target.value)}
      >
        {offered(group).map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {remark && <span className="start-remark">{remark}</span>}
    </th>
  )
}
