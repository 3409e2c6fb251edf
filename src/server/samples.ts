import { fileURLToPath } from 'node:url'

/** Small sets to try the page on, shipped with the package. */
export interface Sample {
  readonly name: string
  readonly file: string
  readonly question: string
  /** Empty: as the file says. */
  readonly classes: readonly string[]
}

const data = (file: string) => fileURLToPath(new URL(`../../data/${file}`, import.meta.url))

export const samples: readonly Sample[] = [
  {
    name: 'digits',
    file: data('digits.csv'),
    question: 'Which digit is this?',
    classes: Array.from({ length: 10 }, (_, digit) => `${digit}`),
  },
  { name: 'messages', file: data('messages.csv'), question: 'Is this spam?', classes: ['spam', 'not spam'] },
  { name: 'predictions', file: data('mail-predictions.csv'), question: 'What is this about?', classes: [] },
  { name: 'answers', file: data('answers.csv'), question: 'Is this answer right?', classes: [] },
  { name: 'models', file: data('tickets.csv'), question: 'What is this about?', classes: [] },
]
