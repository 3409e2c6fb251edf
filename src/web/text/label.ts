import type { Label } from '../../protocol/points.ts'
import { enoughAnswers } from '../../text/now.ts'
import { count, counted } from '../../text/wording.ts'

/** What Label says. Things to answer are called by their unit: rows, pictures. */
export const words = {
  label: 'How good the model is now',
  how: 'How do we know?',
  moreGuess: 'What more would take, a guess',
  choose: 'Choose an answer',
  guidelines: 'Guidelines',
  undo: 'Undo',
  keep: 'Keep the answer',
  later: 'Later',
  unknown: 'Cannot tell',
  readOn: 'Read on',
  fullSize: 'Full size',
  close: 'Close',
  thing: (id: string) => `Point ${id}`,
  offline: 'Offline. Keep going.',
  startedAgain: 'alis was started again: open the address that it printed, in this browser, and this page goes on.',
  rail: 'Last answers and plot',
  openRail: 'Open the panel',
  closeRail: 'Close the panel',
  lastAnswers: 'Last answers',
  noneYet: 'No answers yet. They appear here as you give them.',
  plot: 'How wrong, by answers',
  noBandYet: `The first answers teach the first model. An estimate follows, and from ${enoughAnswers} answers on a range stands here and narrows.`,
  pace: (batch: number) => `Always about the model of the moment. Moves when ${count(batch)} answers are in.`,
  revise: 'Revise',
  unknownAnswer: 'cannot tell',
  track: 'How far the answers have come',
} as const

/** For ears: what a key did. */
export const said = {
  answered: (label: Label, answers: number) => `${label ?? 'Cannot tell'}. ${counted(answers, 'answer')}.`,
  revised: (label: Label) => `Revised: ${label ?? 'cannot tell'}.`,
  later: 'Later, at the end of these.',
  kept: 'Kept as it was.',
  undone: (answers: number) => `Undone. ${counted(answers, 'answer')}.`,
}

/** How to answer, below what the project says of it. */
export const whenUnsure = {
  title: 'When unsure',
  reading: 'Take the reading most people would take.',
  later: 'brings it back a little later.',
  unknown: 'is an honest answer. It is kept, never replaced by an easier one, and makes the range a little wider.',
  noHints: 'The model’s guess is never shown before your answer: the range needs an answer that does not lean on it.',
}

/** The finder: many classes, found by typing. */
export const finder = {
  label: 'Find a class',
  often: 'Often',
  list: 'Classes that match',
  enter: 'Enter',
  none: (typed: string) => `No class matches “${typed}”.`,
  foot: (shown: number, all: number) =>
    `${shown < all ? `${count(shown)} of ` : ''}${counted(all, 'class', 'classes')}. Type to find, arrows to choose, Enter to answer. Esc leaves the field.`,
}

/** What stands in the place of the thing. */
export const cards = {
  audit: {
    title: 'The model is being certified.',
    lede: 'Its questions are asked in Certify, with the same keys. It learns on afterwards, if you want it to.',
    go: 'Go on in Certify',
  },
  spent: {
    title: 'The budget is used up.',
    lede: 'The model has learned from every answer. A certificate says how wrong it is, so that others can check it.',
    all: 'Every one has an answer.',
    allLede: 'Nothing is left to be wrong about.',
    certify: 'Write a certificate',
    predictions: 'See the predictions',
    raise: 'Raise the budget',
    inAll: 'Answers in all',
    go: 'Go on',
  },
  rest: {
    title: 'This model is certified, and stays as it is.',
    lede: 'It is what Data shows and what an export delivers. If it learns on, another model comes of it, which no certificate is about.',
    see: 'See the certificate',
    export: 'Export it',
    narrow: 'Narrow its range',
    learn: 'Let it learn on',
  },
  failed: {
    title: 'The next ones could not be drawn.',
    saved: (answers: number) => `Nothing is lost: all ${counted(answers, 'answer')} are saved.`,
    again: 'Try again',
    copy: 'Copy details',
  },
  reached: {
    lede: 'You can write the certificate now, or keep answering: nothing starts over either way.',
    write: 'Write the certificate',
    on: (goal: string) => `Keep answering to ${goal}`,
    onOnly: 'Keep answering',
    next: (goal: string, cost: string) => `${goal} would take ${cost}.`,
  },
  learning: {
    title: (answers: number) => `Learning from ${counted(answers, 'answer')}`,
    first: 'Drawing the first ones',
    lede: 'A few seconds. The next ones follow by themselves; everything you answered is saved.',
    learn: (answers: number) => `Learn from ${counted(answers, 'answer')}`,
    score: (things: number, unit: string) => `Read ${count(things)} ${unit}`,
    draw: (size: number) => `Draw ${count(size)} by lot, each with its chance on record`,
  },
  elsewhere: {
    title: 'The rest is on other pages.',
    lede: (left: number) =>
      `${left === 1 ? 'The last one is' : `The last ${count(left)} are`} open in another window. It goes on when all are answered.`,
  },
  waiting: {
    title: 'All of these are answered.',
    lede: (unsaved: number) =>
      unsaved > 0 ? `${counted(unsaved, 'answer')} on the way to the server.` : 'Waiting for the server.',
  },
  opening: 'Opening the project',
  reading: 'Reading the file',
}

/** "3 answers wait in this browser and are sent when the server is back." */
export function offlineWords(unsaved: number): string {
  const waiting = unsaved > 0 ? counted(unsaved, 'answer') : 'Answers'
  return `${waiting} ${unsaved === 1 ? 'waits in this browser and is' : 'wait in this browser and are'} sent when the server is back.`
}
