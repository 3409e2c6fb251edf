/** Fields of numbers before there is a project: what they are called. */
export const fieldTitles = {
  tolerance: 'Stop at ±, as a share',
  below: 'Stop when surely below',
  atMost: 'At most so many answers',
  within: 'Best but for at most',
  level: 'How sure',
  rounds: 'Answers a round',
  seed: 'Seed',
  least: 'The least grade',
  most: 'The largest grade',
  batch: 'Answers per round',
  budget: 'Answers to learn from',
  start: 'First answers',
  l2: 'Penalty on the weights',
  weighting: 'Training weights',
  know: 'Uniform share',
  loss: 'Loss',
}

export const fieldHints = {
  loss: 'What the learner minimises.',
  l2: 'Its strength: more keeps the model simpler.',
  weighting: 'The power they are taken to: 0 none, 1 full.',
  ofStrategy: 'the strategy’s',
  know: 'Of strategy alis: more of it tells more about the model, and learns a little slower.',
  seed: 'Repeats a draw. A certificate says that it was chosen.',
  fresh: 'fresh',
}

/** What must be put right before anything begins. */
export const fieldProblems = {
  question: 'A question is required. People read it above everything.',
  project: 'A name is required. Every draw and answer is kept under it.',
  nothingRead: 'Nothing is marked “Read”: people need something to judge by.',
  nothingChecked: 'Say which column holds what is to be checked.',
  open: 'Say when to stop: a width, a ceiling, or a number of answers.',
  both: 'A width or a ceiling, not both.',
  number: 'A number is required.',
}

export const auditChecks = {
  own: 'Another goal than those above',
  forAll: 'The goal is for everything that is asked',
  together: 'Ranges too that hold all together',
  plainLot: 'Draw by plain lot',
}

export const goalWords = { all: 'All', allAbout: 'every row answered: counted, not estimated' }
