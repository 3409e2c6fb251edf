import type { Project } from '../../protocol/project.ts'
import { count, counted } from '../../text/wording.ts'
import { Card } from '../parts/Card.tsx'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { sayBars } from '../plots/sentences.ts'

const title = 'Answers by class'
const mostBars = 14

/** What was answered, class by class; "cannot tell" last and only where it was said. */
export function ClassesCard({ project }: { project: Pick<Project, 'classes' | 'byClass' | 'answers' | 'strategy' | 'purpose'> }) {
  const given = new Map(project.byClass.map(({ label, answers }) => [label, answers]))
  const bars = project.classes.map(({ name }) => ({ name, count: given.get(name) ?? 0 }))
  const unknown = given.get(null) ?? 0
  if (unknown > 0) bars.push({ name: 'cannot tell', count: unknown })
  return (
    <Card title={title} note={counted(project.answers, 'answer')}>
      <PlotFigure
        label={sayBars(title, bars)}
        height={Math.min(bars.length, mostBars) * 23}
        draw={(draw, size) => draw.bars(bars.slice(0, mostBars), size)}
        caption={captionOf(project)}
        isFoot
        table={{ of: title, columns: ['Class', 'Answers'], rows: bars.map((bar) => [bar.name, count(bar.count)]) }}
      />
    </Card>
  )
}

function captionOf({ strategy, purpose }: Pick<Project, 'strategy' | 'purpose'>): string {
  if (purpose === 'learn' && strategy.name === 'uniform') return 'Drawn uniformly, so about the pool’s mix.'
  return 'What was drawn, not the pool’s mix: unsure points are drawn more often.'
}
