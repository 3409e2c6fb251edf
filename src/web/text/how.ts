/** What "How do we know?" says. */
export const howWords = {
  picked: (unit: string, noEstimate: string) =>
    `The ${unit} to answer are picked, not drawn by lot: where answers are missing could not be told from where the model is right. ${noEstimate} A certificate draws by lot, so it can still say how wrong the model is; so does another way of drawing, chosen under Progress.`,
  lot: (units: string) => `${units} are drawn by lot.`,
  lotWhy: (unit: string) =>
    ` Those the model is unsure about get more lots. The chance of each is written down before anyone sees it, so no kind of ${unit} can be left out.`,
  compared: 'Each answer is compared with what the model said before it could learn from it.',
  comparedWhy: ' Nobody sees that first. Where the model says something else by now is counted, and widens the range.',
  open: 'What is still open becomes the range.',
  openWhy: (missed: string) => ` Ranges made this way are ${missed} and whenever you stop.`,
  moves: (batch: string) =>
    `The sentence moves when ${batch} answers are in, so that no single answer gives away what the model thought. When the model learns, the range may widen again.`,
  learns: (choice: string) => `What learns is chosen among several by how it predicts answers it has not seen. ${choice}`,
  numbers: 'The numbers behind it',
  counted: 'Answers counted',
  countedOf: (some: string, all: string) => `${some} of ${all}`,
  unknown: 'Could not tell, each widens the range',
  about: 'About',
  certified: 'Certified',
  model: (round: number | undefined) => `the model after round ${round}`,
  nobody: (units: string) => `${units} nobody has answered`,
  range: 'The range',
  rangeOf: (low: string, high: string, half: string) => `${low} to ${high}, ${half}`,
}
