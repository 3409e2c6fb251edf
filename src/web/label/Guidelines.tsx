import type { Project } from '../../protocol/project.ts'
import { Panel } from '../parts/Panel.tsx'
import { closePanel } from '../shell/panels.ts'

/** How to answer, in the project's words and then in ours. */
export function Guidelines({ project }: { project: Project }) {
  const paragraphs = project.guidelines.split(/\n\s*\n|\n(?=[-*•])/).filter((text) => text.trim() !== '')
  const names = project.classes.map(({ name }) => name).filter((name) => name.length > 1)
  return (
    <Panel id="guidelines" title="Guidelines" onClose={closePanel}>
      <div className="guidelines">
        {paragraphs.map((text) => (
          <Paragraph key={text} text={text.trim()} names={names} />
        ))}
        <h3>When unsure</h3>
        <ul>
          <li>Take the reading most people would take.</li>
          <li>
            <b>Later</b> brings it back at the end of this round.
          </li>
          <li>
            <b>Cannot tell</b> is an honest answer. It is kept, never replaced by an easier point, and makes the interval a little
            wider.
          </li>
        </ul>
        <p className="caption">
          The model’s guess is never shown before your answer: the estimate needs an answer that does not lean on it.
        </p>
      </div>
    </Panel>
  )
}

/** A paragraph about one class begins with its name: that is what eyes look for. */
function Paragraph({ text, names }: { text: string; names: readonly string[] }) {
  const name = names.find((one) => text.startsWith(one))
  if (name === undefined) return <p>{text}</p>
  return (
    <p>
      <b>{name}</b>
      {text.slice(name.length)}
    </p>
  )
}
