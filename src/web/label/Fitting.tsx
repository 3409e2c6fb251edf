import type { Phase, Project } from '../../protocol/project.ts'
import { count, counted } from '../../text/wording.ts'
import { Icon } from '../parts/Icon.tsx'
import { StateCard } from '../parts/StateCard.tsx'

type OpeningPhase = Extract<Phase, { kind: 'opening' }>

/** The next round is on its way. */
export function Fitting({ project, phase }: { project: Project; phase: OpeningPhase }) {
  const last = project.rounds.at(-1)
  const steps = stepsOf(phase)
  const at = steps.findIndex(({ step }) => step === phase.step)
  return (
    <StateCard
      role="status"
      about={`Round ${phase.number}`}
      title={phase.number === 1 ? 'Opening the first round' : 'Opening the next round'}
    >
      <p className="quiet">
        {last && `All ${counted(last.answers, 'answer')} of round ${last.number} are saved. `}
        You can leave; the draws will be here when you come back.
      </p>
      <ol className="steps">
        {steps.map(({ step, says }, i) => (
          <li
            key={step}
            className={i < at ? 'is-done' : i === at ? 'is-now' : undefined}
            aria-current={i === at ? 'step' : undefined}
          >
            <Icon name={i < at ? 'check' : i === at ? 'turning' : 'ring'} size={16} />
            {says}
          </li>
        ))}
      </ol>
    </StateCard>
  )
}

/** Before the first answer there is nothing to learn from, and all points are alike. */
function stepsOf({ answers, points, size }: OpeningPhase) {
  const steps = [
    { step: 'learn', says: `Learn from ${counted(answers, 'answer')}` },
    { step: 'score', says: `Score ${counted(points, 'point')}` },
    { step: 'draw', says: `Draw ${count(size)}, each with its probability on record` },
  ]
  return answers === 0 ? steps.slice(2) : steps
}
