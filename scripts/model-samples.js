// Writes the made-up sets in data/ that stories about models are told with: `node scripts/model-samples.js`. The same on every run.
import { csv, different, filled, guess, lot, pick, writeSample } from './made-up.js'

/** A number of minutes as a time of day or a length. */
const clock = (minutes) => `${Math.floor((minutes % 1440) / 60)}:${`${minutes % 60}`.padStart(2, '0')}`
const money = (cents) => `€${(cents / 100).toFixed(2)}`
const whole = (least, most, ...words) => least + Math.floor((most - least + 1) * lot(...words))

/** A question, what is right, and a mistake that is easily made. */
const questions = {
  Time(k) {
    const [start, length] = [5 * whole(60, 250, 'start', k), 5 * whole(5, 40, 'length', k)]
    return {
      question: `My train leaves at ${clock(start)} and takes ${length} minutes. When am I there?`,
      right: clock(start + length),
      wrong: clock(start + length + pick([60, -60, 10, -10], 'slip', k)),
    }
  },
  Percent(k) {
    const [share, of] = [5 * whole(1, 12, 'share', k), 20 * whole(3, 60, 'of', k)]
    return {
      question: `A coat for €${of} is ${share} % off. What do I pay?`,
      right: money(100 * of - share * of),
      wrong: money(pick([share * of, 100 * of - share * of - 100, 100 * of + share * of], 'slip', k)),
    }
  },
  Recipes(k) {
    const [people, more, grams] = [whole(2, 6, 'people', k), whole(7, 14, 'more', k), 60 * whole(2, 12, 'grams', k)]
    return {
      question: `The recipe takes ${grams * people} g of flour for ${people} people. How much for ${more}?`,
      right: `${grams * more} g`,
      wrong: `${pick([grams * (more - 1), grams * (more + 1), grams * people + more], 'slip', k)} g`,
    }
  },
  Deliveries(k) {
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
    const [from, after] = [whole(0, 6, 'from', k), whole(2, 40, 'after', k)]
    return {
      question: `I ordered on a ${days[from]}. It comes after ${after} days, they say. Which day is that?`,
      right: days[(from + after) % 7],
      wrong: days[(from + after + pick([1, 6], 'slip', k)) % 7],
    }
  },
}
const topics = Object.keys(questions)
const manner = {
  right: ['That is {value}.', '{value}.', 'You get to {value}.', 'It comes to {value}, if I am not mistaken.'],
  wrong: ['That is {value}.', '{value}.', 'That should be about {value}.', 'It comes to {value}, if I am not mistaken.'],
}

/** A judge by rules: it likes short and certain answers, and sees most of the mistakes it knows. */
function judged({ topic, text, isRight }, k) {
  const isDoubtful = /about|if I am not mistaken/.test(text)
  const chance = isRight ? (isDoubtful ? 0.85 : 0.97) : topic === 'Recipes' ? 0.55 : isDoubtful ? 0.2 : 0.35
  const passes = lot('judge', k) < chance
  const sure = 0.5 + 0.5 * Math.abs(2 * chance - 1) - 0.15 * lot('sure', k)
  return [passes ? 'pass' : 'fail', Math.min(0.99, sure).toFixed(2)]
}

const answers = different(1200, (k) => {
  const topic = pick(topics, 'topic', k)
  const { question, right, wrong } = questions[topic](k)
  const isRight = lot('right', k) < (topic === 'Deliveries' ? 0.7 : 0.87)
  const [kind, value] = isRight || right === wrong ? ['right', right] : ['wrong', wrong]
  const text = filled(pick(manner[kind], 'manner', k), { value: [value] })
  const isTrue = kind === 'right'
  return {
    text: question,
    row: [topic, question, text, ...judged({ topic, text, isRight: isTrue }, k), isTrue ? 'pass' : 'fail'],
  }
})
writeSample(
  'answers.csv',
  csv([
    ['id', 'topic', 'question', 'answer', 'judge', 'sure', 'truth'],
    ...answers.map(({ row }, k) => [`Q${3001 + k}`, ...row]),
  ]),
)

const tickets = {
  Billing: [
    'I was charged twice in {month}.',
    'The invoice of {month} has the wrong address.',
    'Why is {thing} more expensive now?',
  ],
  Delivery: ['{thing} has not arrived since {day}.', 'The box with {thing} was open.', 'Can {thing} come on {day} instead?'],
  Technical: ['{thing} does not turn on since {day}.', 'The app crashes when I open {thing}.', 'I cannot log in since {day}.'],
  Returns: [
    'I want to send {thing} back.',
    'Where do I return {thing} by {day}?',
    'I was promised a refund for {thing} in {month}.',
  ],
}
const parts = {
  thing: [
    'the kettle',
    'the lamp',
    'the family plan',
    'the headphones',
    'the router',
    'my order',
    'the desk',
    'the second parcel',
  ],
  month: ['January', 'March', 'April', 'June', 'August', 'October', 'November'],
  day: ['Monday', 'Tuesday', 'Thursday', 'Saturday', 'the weekend', '3 May', '12 June', 'last week'],
  tone: [
    'Please help.',
    'Thanks!',
    'This is the second time I write.',
    'Kind regards',
    'It is urgent.',
    '',
    'Any news?',
    'I am waiting.',
  ],
  who: ['Hello,', 'Hi there,', 'Good morning,', 'Dear team,', ''],
}
const kinds = Object.keys(tickets)
const routed = different(1500, (k) => {
  const topic = pick(kinds, 'ticket', k)
  const text = filled(`{who} ${pick(tickets[topic], 'words', k)} {tone}`, parts, k)
    .replace(/\s+/g, ' ')
    .trim()
  const said = (rate, model) => guess(kinds, topic, rate, model, k)
  return { text, row: [text, said(0.93, 'large'), said(0.92, 'medium'), said(0.84, 'small'), topic] }
})
writeSample(
  'tickets.csv',
  csv([['id', 'ticket', 'large', 'medium', 'small', 'truth'], ...routed.map(({ row }, k) => [`T${4001 + k}`, ...row])]),
)
