// A plain uniform sample is a record too, and any number of questions can be asked of it. No model, no confidences, nothing to set up.
import { ask, question, sample } from 'alis-learn'

const answers = Array.from({ length: 80 }, (_, i) => (i % 10 === 0 ? 'spam' : 'ham')) // in the order they were drawn
const record = sample({ classes: ['ham', 'spam'], of: 2000, answers })
console.log(ask(record, question('prevalence', { positive: 'spam' })))

// The number of answers was fixed before the first of them: narrower.
const planned = sample({ classes: ['ham', 'spam'], of: 2000, answers, isPlanned: true })
console.log(ask(planned, question('prevalence', { positive: 'spam' })))

// With predictions: how many there are of each, and what each answer was predicted to be.
const judged = Array.from({ length: 150 }, (_, i) => {
  const predicted = i % 5 === 0 ? 'spam' : 'ham'
  const isWrong = i % 13 === 0
  return { predicted, answer: isWrong === (predicted === 'spam') ? 'ham' : 'spam' }
})
const filtered = sample({ classes: ['ham', 'spam'], of: { ham: 1600, spam: 400 }, answers: judged, isPlanned: true })
for (const metric of ['precision', 'recall', 'f1'] as const) {
  const { value, low, high } = ask(filtered, question(metric, { positive: 'spam' }))
  console.log(`${metric} ${value!.toFixed(2)}, between ${low!.toFixed(2)} and ${high!.toFixed(2)}`)
}
