import type { ClosedRound } from '../../protocol/rounds.ts'
import { count } from '../../text/wording.ts'

/** What Progress says. */
export const words = {
  nothing: 'Nothing to show yet.',
  eyebrow: (answers: string, all: string) => `${answers}, of ${all}`,
  bandWhy:
    'At every place the band is about the model {past}: it narrows because we know more, and it sinks because the model has learned. The two cannot be told apart here; a certificate is about one model only.',
  past: 'as it was then',
  roundsWhy: (level: string) =>
    `Each round’s answers are scored by the model {before} it learns from them, so every interval is about a different model, and far wider than the band, which uses them all. ${level} intervals.`,
  before: 'before',
  alone: (answers: string) =>
    `A certificate keeps the model as it is and measures it alone: ±5\u00a0% takes about ${answers} answers of its own.`,
  countsOf: (round: number) => `What the answers of round ${round} count for`,
  possible: (most: string) => ` of ${most} possible`,
  times: (largest: string) => `${largest} times`,
  worth: 'Worth in plain draws',
  heaviest: 'The heaviest answer counts',
  nothingWhy:
    'The first answers teach the first model. An estimate follows, and from 100 answers on a range stands here and narrows.',
  start: 'Start answering',
  allKnown: 'Nothing is left to be wrong about.',
  picked: 'What was picked says nothing certain of the rest.',
  certify: 'Write a certificate',
  fromHere: 'For what is asked from here on:',
  behind: 'An answer was changed: the range is being worked out again.',
  seeCertificate: 'See the certificate',
  learnedSince: (after: number | undefined) =>
    `It has learned since the certificate, and is not certified. The certified model, the one after round ${after}, is wrong on about {value}, surely between {low} and {high}. {link}`,
  band: 'What we know, answer by answer',
  bandOf: (unit: string) => `Share of the ${unit} without an answer that the model gets wrong`,
  how: 'How do we know?',
  byRound: 'What each round says by itself',
  goals: 'What more would take',
  goalsNote: 'A guess, at the pace so far',
  goalsCaption:
    'Guesses, not promises: limits narrow fast where learning is easy. The range holds whatever the number turns out to be.',
  goOn: 'Continue to a certificate',
  byClass: 'Answers so far',
  asked: 'What was asked, not what the file holds: what the model is unsure about is asked more often.',
  plainLot: 'Drawn by plain lot, so about what the file holds.',
}

/** What the budget card says. */
export const budgetWords = {
  title: 'Budget',
  spent: 'answers spent',
  /** A certificate asks beyond what was planned to learn from. */
  beyond: (budget: number) => `answers; ${count(budget)} were planned to learn from, and a certificate asked for more`,
  meter: (share: string) => `${share} of the budget spent`,
  how: (title: string) => `How things are drawn: ${title}`,
  stays: 'What was drawn stays as it is when you change this; the next round follows it.',
  change: (round: number) => `Change for round ${round}`,
  open: (round: number) => `Round ${round} is open`,
  comes: (round: number) => `Round ${round} is on its way`,
  audit: 'A certificate is under way',
  allIn: 'All answers are in',
  draws: 'How things are drawn',
  batch: 'Answers per round',
  hint: 'Answers in all, those given included.',
  use: (round: number) => `Use from round ${round}`,
  cancel: 'Cancel',
  next: (round: number, batch: string, budget: string) =>
    `From round ${round} on: {way}, ${batch} answers a round, at most ${budget} in all.`,
}

/** Healthy from 30 % of the answers, thin from 10 %, poor below. */
export function healthOf({ effectiveSize, answers }: { effectiveSize: number; answers: number }): 'Healthy' | 'Thin' | 'Poor' {
  const part = effectiveSize / answers
  return part >= 0.3 ? 'Healthy' : part >= 0.1 ? 'Thin' : 'Poor'
}

/** Why no answer can count for more than it does, where that is so. */
export function capWords(largestPossible: number | undefined): string {
  if (largestPossible === undefined) return 'This strategy sets no limit to what one answer may count for.'
  if (largestPossible <= 1) return 'Every draw is uniform, so every answer counts the same.'
  const part = Math.floor(100 / largestPossible + 1e-9) // rounding may not make more of it
  return `At least ${part}\u00a0% of every draw is uniform, so no answer can count for more than ${tidy(largestPossible)}.`
}

const tidy = (n: number) => Number(n.toFixed(1)).toString()

export function newestWeights(rounds: readonly ClosedRound[]) {
  return rounds.findLast(
    (round): round is ClosedRound & { weights: NonNullable<ClosedRound['weights']> } => round.weights !== undefined,
  )
}
