// Writes the made-up texts in data/ that the page offers to try: `node scripts/samples.js`. The same on every run.
import { csv, different, filled, guess, lot, pick, writeSample } from './made-up.js'

const words = {
  who: ['Mum', 'Tom', 'Aylin', 'Grandpa', 'the kids', 'Priya', 'Jonas', 'my sister', 'the neighbours', 'Coach'],
  time: [
    'at six',
    'after work',
    'around noon',
    'tomorrow',
    'on Friday',
    'at half past eight',
    'this weekend',
    'tonight',
    'next week',
  ],
  place: ['the station', 'the gym', 'the library', 'the corner shop', 'the office', 'our place', 'the park', 'the dentist'],
  thing: ['milk', 'the blue folder', 'my charger', 'two tickets', 'the keys', 'bread and eggs', 'the umbrella', 'the cake'],
  mood: ['Running late, sorry.', 'All good here.', 'No rush.', 'Can you believe it?', 'Long day.', 'Thanks again!', ''],
  prize: ['a £900 prize', 'a FREE phone', '5,000 bonus points', 'a luxury weekend', 'a £250 gift card', 'double credit'],
  act: ['Call', 'Text WIN to', 'Reply YES to', 'Claim now:', 'Confirm at'],
  number: ['80082', '09061 701', '60033', '08712 300', 'win-now.example', 'bonus.example/claim'],
  hurry: ['Ends today!', 'Only 24 hours left.', 'Last chance.', 'T&Cs apply.', 'Valid 12 hours only.', ''],
  bank: ['Your account', 'Your parcel', 'Your subscription', 'Your card', 'Your refund'],
  trouble: ['has been locked', 'is on hold', 'needs a small fee', 'will be cancelled', 'could not be verified'],
}
const friendly = [
  '{mood} Can you pick up {who} {time}?',
  'I am at {place}, do we need {thing}? {mood}',
  'Home {time}, did you find {thing}?',
  'Let us meet at {place} {time}. {mood}',
  'Tell {who} I left {thing} at {place}.',
  'Dinner with {who} {time}? I bring {thing}.',
  'Won the match {time}! {mood} Drinks at {place}?',
  '{who} called about {thing}, call back {time}.',
  'Reminder from {place}: your appointment is {time}. Reply if you cannot come.',
]
const spam = [
  'You have WON {prize}! {act} {number} {hurry}',
  'URGENT: {bank} {trouble}. {act} {number}',
  '{prize} is waiting for you. {act} {number} {hurry}',
  'Congratulations, {who} recommended you for {prize}. {act} {number}',
  '{bank} {trouble}. Log in at {number} {time}. {hurry}',
  'Bored {time}? Chat now with people near {place}. {act} {number}',
]

const mails = {
  Billing: [
    'I was charged twice for {product} in {month}. Please refund one of the two payments.',
    'The invoice of {month} shows VAT of 19 %, but our company is exempt. Can you send a new one for {product}?',
    'My card was declined when I paid for {product}, and now it says payment overdue.',
    'Why did the price of {product} go up in {month}? Nobody told me.',
  ],
  Delivery: [
    'My order of {product} has been in transit since {day} and the tracking page does not change.',
    'The parcel with {product} arrived on {day}, but the box was open and a part is missing.',
    'Can you send {product} to my office instead? I will not be home on {day}.',
    'The courier says {product} was delivered on {day}. It was not.',
  ],
  Technical: [
    'The export button does nothing in {browser} since the update on {day}.',
    'I cannot log in with {browser}. It says my session has ended, again and again.',
    '{product} does not connect any more. The light blinks red since {day}.',
    'The app crashes when I open the orders of {month}. I use {browser}.',
  ],
  Cancel: [
    'Please cancel my subscription to {product} by the end of {month}.',
    'I would like to return {product} and get my money back. I ordered it on {day}.',
    'I wrote on {day} that I want to cancel. Please confirm it in writing.',
    'We no longer need {product}. How do I close the account before {month}?',
  ],
}
const details = {
  product: [
    'the coffee machine',
    'the Pro plan',
    'the headphones',
    'the router',
    'the newsletter tool',
    'the desk lamp',
    'the backup drive',
    'the family plan',
  ],
  month: ['January', 'February', 'March', 'April', 'May', 'June', 'October'],
  day: ['Monday', 'Tuesday', 'Thursday', 'Friday', '5 March', '12 March', 'the weekend'],
  browser: ['Firefox', 'Chrome', 'Safari', 'the mobile app'],
  end: ['Thank you.', 'Best regards', 'Please help.', 'I am waiting for your answer.', 'This is the second time I write.', ''],
}
const topics = Object.keys(mails)
const sources = ['E-mail', 'App', 'Web form', 'Scanned letter']

const messages = different(600, (k) => {
  const templates = lot('kind', k) < 0.3 ? spam : friendly
  return {
    text: filled(pick(templates, 'template', k), words, k)
      .replace(/\s+/g, ' ')
      .trim(),
  }
})
writeSample('messages.csv', csv([['id', 'text'], ...messages.map(({ text }, k) => [`S${1001 + k}`, text])]))

const predictions = different(800, (k) => {
  const topic = pick(topics, 'topic', k)
  const source = pick(sources, 'source', k)
  const text = `${filled(pick(mails[topic], 'mail', k), details, k)} ${pick(details.end, 'end', k)}`.trim()
  const doubt = lot('doubt', k) * (source === 'Scanned letter' ? 0.5 : 0.3)
  return {
    text,
    row: [
      text,
      guess(topics, topic, 1 - doubt, 'gpt', k),
      (1 - 0.9 * doubt).toFixed(2),
      guess(topics, topic, 0.84, 'rules', k),
      source,
    ],
  }
})
const header = ['id', 'body', 'gpt_topic', 'gpt_score', 'rules_topic', 'channel']
writeSample('mail-predictions.csv', csv([header, ...predictions.map(({ row }, k) => [`P${2001 + k}`, ...row])]))
