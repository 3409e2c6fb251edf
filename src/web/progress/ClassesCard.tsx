import type { Project } from '../../protocol/project.ts'
import { counted } from '../../text/wording.ts'
import { Card } from '../parts/Card.tsx'
import { Bars } from '../plots/Bars.tsx'

/** What was answered, class by class; "cannot tell" last and only where it was said. */
export function ClassesCard({ project }: { project: Pick<Project, 'classes' | 'byClass' | 'answers' | 'strategy' | 'purpose'> }) {
  const given = new Map(project.byClass.map(({ label, answers }) => [label, answers]))
  const bars = project.classes.map(({ name }) => ({ name, count: given.get(name) ?? 0 }))
  const unknown = given.get(null) ?? 0
  if (unknown > 0) bars.push({ name: 'cannot tell', count: unknown })
  return (
    <Card title="Answers by class" note={counted(project.answers, 'answer')}>
      <Bars title="Answers by class" of="Class" bars={bars} caption={captionOf(project)} />
    </Card>
  )
}

function captionOf({ strategy, purpose }: Pick<Project, 'strategy' | 'purpose'>): string {
  if (purpose === 'learn' && strategy.name === 'uniform') return 'Drawn uniformly, so about the pool’s mix.'
  return 'What was drawn, not the pool’s mix: unsure points are drawn more often.'
}
