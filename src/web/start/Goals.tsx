import { goalWords } from '../text/fields.ts'
import { goodFor, nearlyAll, plusMinusWords, roughly, timeWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { type GoalPrice, isWithin } from './goal-prices.ts'

interface Props {
  prices: readonly GoalPrice[]
  rows: number
  /** Seconds an answer takes. */
  pace: number
  /** A tolerance, or every row. */
  chosen: number | 'all'
  isBusy?: boolean
  onChoose: (goal: number | 'all') => void
}

/** How sure one wants to be, each with what it costs. */
export function Goals({ prices, rows, pace, chosen, isBusy = false, onChoose }: Props) {
  const hasAll = !prices.every((price) => isWithin(price, rows))
  return (
    <div className="start-goals" role="radiogroup" aria-label={parts.howSure} aria-busy={isBusy}>
      {prices.map((price) => (
        <Goal
          key={price.tolerance}
          title={plusMinusWords(price.tolerance)}
          about={isWithin(price, rows) ? [goodFor[price.tolerance], price.about].filter(Boolean).join('; ') : nearlyAll(rows)}
          answers={Math.min(rows, roughly(price.answers))}
          pace={pace}
          isChosen={chosen === price.tolerance}
          isOff={!isWithin(price, rows)}
          onChoose={() => onChoose(price.tolerance)}
        />
      ))}
      {hasAll && (
        <Goal
          title={goalWords.all}
          about={goalWords.allAbout}
          answers={rows}
          pace={pace}
          isChosen={chosen === 'all'}
          onChoose={() => onChoose('all')}
        />
      )}
    </div>
  )
}

interface GoalProps {
  title: string
  about: string
  answers: number
  pace: number
  isChosen: boolean
  isOff?: boolean
  onChoose: () => void
}

function Goal({ title, about, answers, pace, isChosen, isOff = false, onChoose }: GoalProps) {
  return (
    <label className={isOff ? 'start-goal is-off' : 'start-goal'}>
      <input type="radio" name="goal" checked={isChosen} disabled={isOff} onChange={onChoose} />
      <b>{title}</b>
      <span>{about}</span>
      {!isOff && (
        <span className="cost">
          {parts.goalAnswers(answers, title === goalWords.all)}
          <small>{timeWords(answers * pace)}</small>
        </span>
      )}
    </label>
  )
}
