import type { CertificateSummary, Project } from '../../protocol/project.ts'
import { Icon } from '../parts/Icon.tsx'
import { Mark } from '../parts/Mark.tsx'
import { Note } from '../parts/Note.tsx'
import { Tag } from '../parts/Tag.tsx'
import type { Fact } from './facts.ts'
import { dayOf, voidWords } from './words.ts'

interface TopProps {
  project: Project
  /** What the project knows beside the file: when, and whether an answer was revised since. */
  summary: CertificateSummary | undefined
}

export function SheetTop({ project, summary }: TopProps) {
  return (
    <div className="spread sheet-top">
      <strong>
        <Mark />
        Certificate
        {summary?.isRevised && <Tag>Void</Tag>}
        {summary?.isEarlier && <Tag>Earlier release</Tag>}
      </strong>
      <span>{[project.name, summary && dayOf(summary.time)].filter(Boolean).join(' · ')}</span>
    </div>
  )
}

/** Why a certificate no longer stands, if it does not. */
export function VoidNote({ summary }: Pick<TopProps, 'summary'>) {
  if (!summary?.isRevised) return null
  return (
    <Note kind="warn">
      <b>{voidWords}.</b> It is about the answers as they stood when it was written, not as they stand now.
    </Note>
  )
}

export function Points({ title, icon, lines }: { title: string; icon: 'check' | 'close'; lines: readonly string[] }) {
  return (
    <div>
      <h2>{title}</h2>
      <ul className={`sheet-points ${icon}`}>
        {lines.map((line) => (
          <li key={line}>
            <Icon name={icon} size={16} />
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}

export function Facts({ rows, isMono }: { rows: readonly Fact[]; isMono?: boolean }) {
  return (
    <table className="sheet-facts">
      <tbody>
        {rows.map(([name, words]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className={isMono ? 'mono' : undefined}>{words}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
