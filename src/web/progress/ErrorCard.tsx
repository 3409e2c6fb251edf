import type { Project } from '../../protocol/project.ts'
import { Card } from '../parts/Card.tsx'
import { percent } from '../parts/numbers.ts'
import { Tag } from '../parts/Tag.tsx'
import { RoundIntervals } from '../plots/RoundIntervals.tsx'
import { roundsOf } from '../plots/rounds.ts'

export function ErrorCard({ project }: { project: Project }) {
  const rounds = roundsOf(project)
  return (
    <Card
      title="Estimated error by round"
      note="The model before this round"
      aside={<Tag>{percent(rounds.level)} intervals</Tag>}
    >
      <RoundIntervals rounds={rounds} />
    </Card>
  )
}
