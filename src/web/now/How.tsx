import type { Project } from '../../protocol/project.ts'
import { choiceWords } from '../../text/learner-choice.ts'
import { surelyMeans } from '../../text/now.ts'
import { count, noEstimate, sentence } from '../../text/wording.ts'
import { Rows } from '../parts/Note.tsx'
import { certifiedOf, halfText, lookTexts, nowStateOf, unitOf } from '../text/now.ts'

/** How do we know? Three reasons, and the numbers behind the sentence. */
export function How({ project }: { project: Project }) {
  const { strategy, nextPlan, plan } = project
  const unit = unitOf(project)
  const state = nowStateOf(project)
  if (state.kind === 'none' && !strategy.isRandom)
    return (
      <p>
        The {unit} to answer are picked, not drawn by lot: where answers are missing could not be told from where the model is
        right. {noEstimate} A certificate draws by lot, so it can still say how wrong the model is; so does another way of
        drawing, chosen under Progress.
      </p>
    )
  return (
    <>
      <ol className="why">
        <li>
          <b>{sentence(unit)} are drawn by lot.</b> Those the model is unsure about get more lots. The chance of each is written
          down before anyone sees it, so no kind of {unit} can be left out.
        </li>
        <li>
          <b>Each answer is compared with what the model said before it could learn from it.</b> Nobody sees that first. Where the
          model says something else by now is counted, and widens the range.
        </li>
        <li>
          <b>What is still open becomes the range.</b> Ranges made this way are {surelyMeans(levelOf(project))} and whenever you
          stop.
        </li>
      </ol>
      <p className="caption">
        The sentence moves when {count((nextPlan ?? plan).batch)} answers are in, so that no single answer gives away what the
        model thought. When the model learns, the range may widen again.
      </p>
      {project.model?.choice && (
        <p className="caption">
          What learns is chosen among several by how it predicts answers it has not seen. {choiceWords(project.model.choice)}
        </p>
      )}
      {state.kind !== 'none' && <Numbers project={project} />}
    </>
  )
}

const levelOf = ({ now }: Project) => now?.looks.at(-1)?.level ?? 0.95

function Numbers({ project }: { project: Project }) {
  const look = project.now!.looks.at(-1)!
  const unknown = project.byClass.find(({ label }) => label === null)?.answers ?? 0
  const certified = certifiedOf(project)
  const { low, high } = lookTexts(look)
  return (
    <>
      <h3>The numbers behind it</h3>
      <Rows
        rows={[
          ['Answers counted', `${count(look.counted)} of ${count(look.answers)}`],
          ...(unknown > 0 ? [['Could not tell, each widens the range', count(unknown)] as const] : []),
          ['About', `the model after round ${look.after}`],
          ...(certified ? [['Certified', `the model after round ${certified.after}`] as const] : []),
          [`${sentence(unitOf(project))} nobody has answered`, count(look.points)],
          ['The range', `${low} to ${high}, ${halfText(look)}`],
        ]}
      />
    </>
  )
}
