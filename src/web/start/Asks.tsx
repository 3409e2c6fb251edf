import type { Ask, AuditDraft } from './audit-draft.ts'
import { columnsWith, isAsked, refusalOf } from './audit-draft.ts'

interface Words {
  readonly ask: Ask
  readonly title: string
  readonly about: (draft: AuditDraft) => string
  readonly cost?: string
}

const apart = (draft: AuditDraft) => {
  const columns = columnsWith(draft, 'apart')
  return columns.length > 0 ? `Apart by ${columns.join(' and ')}.` : 'Apart by the values of a column.'
}

/** The questions of a kind of file, in words that need no statistics. */
const questions: Readonly<Record<AuditDraft['kind'], readonly Words[]>> = {
  predictions: [
    { ask: 'overall', title: 'How often are they wrong?', about: () => 'In the whole file, with a range.' },
    {
      ask: 'classes',
      title: 'In which classes?',
      about: ({ classes: [one] }) =>
        one
          ? `For each class: how many of those called ${one.name} are ${one.name}, and how many of them were found.`
          : 'For each class.',
    },
    { ask: 'mixups', title: 'What is mistaken for what?', about: () => 'A table of mix-ups.' },
    { ask: 'where', title: 'Where is it worse?', about: apart, cost: 'included, in wide ranges' },
    {
      ask: 'other',
      title: 'How does another column compare?',
      about: (draft) => `How much more often wrong than ${columnsWith(draft, 'compare')[0] ?? 'another column'}.`,
    },
    {
      ask: 'best',
      title: 'Which column is best?',
      about: (draft) => `${1 + columnsWith(draft, 'compare').length} columns; weak ones drop out early.`,
      cost: 'instead of the others',
    },
    {
      ask: 'judge',
      title: 'Can the judge be trusted?',
      about: () => 'For an LLM’s verdicts: how often it agrees with people, and the pass rate put right.',
    },
  ],
  verdicts: [
    { ask: 'overall', title: 'How many answers are good?', about: () => 'The pass rate, put right by people’s answers.' },
    {
      ask: 'judge',
      title: 'Can the judge be trusted?',
      about: () => 'Of the good it passes, of the bad it fails, agreement beyond chance.',
    },
    { ask: 'where', title: 'Where does it go wrong?', about: apart, cost: 'included, in wide ranges' },
    {
      ask: 'best',
      title: 'Which judge is best?',
      about: () => 'When several columns hold verdicts.',
      cost: 'instead of the others',
    },
  ],
  grades: [
    { ask: 'overall', title: 'What is the mean grade?', about: () => 'The one that people would give, over the whole file.' },
    { ask: 'where', title: 'Where is it lower?', about: apart, cost: 'included, in wide ranges' },
  ],
}

interface Props {
  draft: AuditDraft
  onChange: (asks: ReadonlySet<Ask>) => void
}

/** What to find out, all from the same answers. What the file cannot answer is off, and says why. */
export function Asks({ draft, onChange }: Props) {
  const toggle = (ask: Ask, isOn: boolean) => {
    const asks = new Set(draft.asks)
    if (isOn) asks.add(ask)
    else asks.delete(ask)
    onChange(asks)
  }
  const isRace = isAsked('best', draft)
  return (
    <div className="card start-asks">
      {questions[draft.kind].map(({ ask, title, about, cost = 'included' }) => {
        const refusal = refusalOf(ask, draft)
        const isAlways = ask === 'overall' && !isRace
        return (
          <label key={ask} className={refusal ? 'start-ask is-off' : 'start-ask'}>
            <input
              type="checkbox"
              checked={isAlways || isAsked(ask, draft)}
              disabled={refusal !== undefined || isAlways}
              onChange={({ target }) => toggle(ask, target.checked)}
            />
            <span>
              <b>{title}</b>
              {about(draft)}
            </span>
            <span className="cost">{refusal ?? cost}</span>
          </label>
        )
      })}
    </div>
  )
}
