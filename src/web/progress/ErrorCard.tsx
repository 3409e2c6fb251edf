import type { Project } from '../../protocol/project.ts'
import { percentage } from '../../text/shares.ts'
import { Card } from '../parts/Card.tsx'
import { Tag } from '../parts/Tag.tsx'
import { roundsOf } from '../plots/drawings/rounds.ts'
import { RoundIntervals } from '../plots/RoundIntervals.tsx'

export function ErrorCard({ project }: { project: Project }) {
  const rounds = roundsOf(project)
  return (
    <Card
      title="Estimated error by round"
      note="The model before this round"
      aside={<Tag>{percentage(rounds.level)} intervals</Tag>}
    >
      <RoundIntervals rounds={rounds} />
    </Card>
  )
}
