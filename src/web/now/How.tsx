import type { Project } from '../../protocol/project.ts'
import { choiceWords } from '../../text/learner-choice.ts'
import { surelyMeans } from '../../text/now.ts'
import { count, noEstimate, sentence } from '../../text/wording.ts'
import { Rows } from '../parts/Note.tsx'
import { howWords as words } from '../text/how.ts'
import { certifiedOf, halfText, lookTexts, nowStateOf, unitOf } from '../text/now.ts'

/** How do we know? Three reasons, and the numbers behind the sentence. */
export function How({ project }: { project: Project }) {
  const { strategy, nextPlan, plan } = project
  const unit = unitOf(project)
  const state = nowStateOf(project)
  if (state.kind === 'none' && !strategy.isRandom) return <p>{words.picked(unit, noEstimate)}</p>
  return (
    <>
      <ol className="why">
        <li>
          <b>{words.lot(sentence(unit))}</b>
          {words.lotWhy(unit)}
        </li>
        <li>
          <b>{words.compared}</b>
          {words.comparedWhy}
        </li>
        <li>
          <b>{words.open}</b>
          {words.openWhy(surelyMeans(levelOf(project)))}
        </li>
      </ol>
      <p className="caption">{words.moves(count((nextPlan ?? plan).batch))}</p>
      {project.model?.choice && <p className="caption">{words.learns(choiceWords(project.model.choice))}</p>}
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
      <h3>{words.numbers}</h3>
      <Rows
        rows={[
          [words.counted, words.countedOf(count(look.counted), count(look.answers))],
          ...(unknown > 0 ? [[words.unknown, count(unknown)] as const] : []),
          [words.about, words.model(look.after)],
          ...(certified ? [[words.certified, words.model(certified.after)] as const] : []),
          [words.nobody(sentence(unitOf(project))), count(look.points)],
          [words.range, words.rangeOf(low, high, halfText(look))],
        ]}
      />
    </>
  )
}
