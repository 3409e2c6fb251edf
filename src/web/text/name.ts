/** Who answers. */
export const nameWords = {
  title: 'Who is answering?',
  lede: 'It is kept in this browser and goes on record with every answer. You can change it in the bar.',
  label: 'Your name, as it should stand beside your answers.',
  done: 'Go on',
  panel: 'Your name',
} as const
