// Audit predictions in arrays: several questions, all from one record of answers, and one more that was not thought of before.
import { ask, audit, auditRecord, columnOracle, memoryStore, predictionsSubject, question, uniform } from 'alis-learn'

// 5,000 mails, what a filter says of each and how sure it is; who reads one knows what it is.
const ids = Array.from({ length: 5000 }, (_, i) => `mail-${i}`)
const said = ids.map((id) => (uniform(1, 'said', id) < 0.2 ? 'spam' : 'ham'))
const doubt = ids.map((id) => 0.6 * uniform(1, 'doubt', id) ** 6)
const other = { ham: 'spam', spam: 'ham' }
const truth = new Map(ids.map((id, i) => [id, uniform(1, 'wrong', id) < doubt[i]! ? other[said[i]!] : said[i]!]))

const subject = predictionsSubject({
  ids,
  predicted: said,
  confidence: doubt.map((chance) => 1 - chance),
  slices: { language: ids.map((id) => (uniform(1, 'language', id) < 0.3 ? 'de' : 'en')) },
})
const store = memoryStore()
const rounds = audit({
  subject,
  store,
  oracle: columnOracle(truth),
  questions: [
    question('error'),
    question('error', { slice: { column: 'language', value: 'de' } }),
    question('recall', { positive: 'spam' }),
  ],
  tolerance: 0.06, // stop once every interval is this narrow to either side
  seed: 7,
})

for await (const { answered, questions } of rounds) console.log(answered, 'answers:', questions.map(told).join(', '))

// Asked afterwards, of the same answers: it holds as if it had been asked before.
console.log(told(ask(await auditRecord(subject, store), question('kappa'))))

function told({ question: { metric, slice }, low, high }: ReturnType<typeof ask>): string {
  return `${metric}${slice ? ` in ${slice.value}` : ''} ${low!.toFixed(3)}–${high!.toFixed(3)}`
}
