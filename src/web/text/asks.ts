/** What of a file a question is worded by: columns that results are told apart by, other columns, and one of the answers. */
export interface AskedOf {
  readonly apart: readonly string[]
  readonly others: readonly string[]
  readonly one: string | undefined
}

interface AskWords<Ask> {
  readonly ask: Ask
  readonly title: string
  readonly about: (of: AskedOf) => string
  readonly cost?: string
}

type Ask = 'overall' | 'classes' | 'mixups' | 'where' | 'other' | 'best' | 'judge'

const apart = ({ apart: columns }: AskedOf) =>
  columns.length > 0 ? `Apart by ${columns.join(' and ')}.` : 'Apart by the values of a column.'

export const included = 'included'
const wide = 'included, in wide ranges'
const instead = 'instead of the others'

/** The questions of a kind of file, in words that need no statistics. */
export const asks: Readonly<Record<'predictions' | 'verdicts' | 'grades', readonly AskWords<Ask>[]>> = {
  predictions: [
    { ask: 'overall', title: 'How often are they wrong?', about: () => 'In the whole file, with a range.' },
    {
      ask: 'classes',
      title: 'In which classes?',
      about: ({ one }) =>
        one === undefined
          ? 'For each class.'
          : `For each class: how many of those called ${one} are ${one}, and how many of them were found.`,
    },
    { ask: 'mixups', title: 'What is mistaken for what?', about: () => 'A table of mix-ups.' },
    { ask: 'where', title: 'Where is it worse?', about: apart, cost: wide },
    {
      ask: 'other',
      title: 'How does another column compare?',
      about: ({ others: [first = 'another column'] }) => `How much more often wrong than ${first}.`,
    },
    {
      ask: 'best',
      title: 'Which column is best?',
      about: ({ others }) => `${1 + others.length} columns; weak ones drop out early.`,
      cost: instead,
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
    { ask: 'where', title: 'Where does it go wrong?', about: apart, cost: wide },
    { ask: 'best', title: 'Which judge is best?', about: () => 'When several columns hold verdicts.', cost: instead },
  ],
  grades: [
    { ask: 'overall', title: 'What is the mean grade?', about: () => 'The one that people would give, over the whole file.' },
    { ask: 'where', title: 'Where is it lower?', about: apart, cost: wide },
  ],
}

/** Why something cannot be found out of a file. */
export const refusals = {
  grades: 'grades are checked one column at a time',
  oneColumn: 'one column here',
  race: 'asked apart: for the best, only rows on which columns differ are read',
  noGroups: 'no column to tell results apart by',
  noVerdicts: 'no column of verdicts here',
  noClasses: 'no classes here',
}
