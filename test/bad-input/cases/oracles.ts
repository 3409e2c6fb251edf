import type { BadInput } from '../case.ts'

const onRecord = 'In a project, what was answered is on record: run the same command again to go on.'
const run = 'run pool.csv --ignore y --classes no,yes --rounds 4 --project asked.alis'

/** A program that goes on where `asked.alis` stopped, with four questions in its first round. `deed`: what it does with each. */
const asking = (deed: string): Pick<BadInput, 'files' | 'command' | 'exit' | 'hasBegun'> => ({
  files: {
    'oracle.mjs': `import { createInterface } from 'node:readline'
const say = (reply) => console.log(JSON.stringify(reply))
for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line)
  ${deed}
}
`,
  },
  command: `${run} --oracle-command 'node oracle.mjs' --oracle-timeout 5`,
  exit: 1,
  hasBegun: true,
})

/** Programs and services that do not answer, or not as they must. */
export const oracles: readonly BadInput[] = [
  {
    name: 'a service that nobody reaches',
    command: `${run} --oracle-url http://127.0.0.1:65530/`,
    while: 'waiting',
    message: /^http:\/\/127\.0\.0\.1:65530\/: an answer for "p\d+" is required, got no connection \(.*\), 6 times$/,
    hint: onRecord,
    exit: 1,
    hasBegun: true,
  },
  {
    name: 'a service at no address',
    command: `${run} --oracle-url localhost`,
    message: 'oracle url: an address that begins with http:// or https:// is required, got localhost',
    hasBegun: true,
  },
  {
    name: 'a program that is not there',
    command: `${run} --oracle-command no-such-program`,
    message: 'command: answers for 4 points are required, got exit code 127',
    hint: `The shell did not find a program of that name. ${onRecord}`,
    exit: 1,
    hasBegun: true,
  },
  {
    name: 'a program that fails at once',
    command: `${run} --oracle-command 'exit 3'`,
    message: 'command: answers for 4 points are required, got exit code 3',
    hint: onRecord,
    exit: 1,
    hasBegun: true,
  },
  {
    name: 'a program that gives up after two answers',
    command: `${run} --oracle-command 'node answer.mjs 2'`,
    message: 'command: answers for 2 points are required, got exit code 3',
    hint: onRecord,
    exit: 1,
    hasBegun: true,
  },
  {
    name: 'a program that says nothing',
    ...asking(''),
    command: `${run} --oracle-command 'node oracle.mjs' --oracle-timeout 0.5`,
    message: 'command: an answer within 0.5 s is required, got none for 4 points',
    hint: `Each reply must leave the program at once: in Python, print(…, flush=True). ${onRecord}`,
  },
  {
    name: 'an answer that is nonsense',
    ...asking(`console.log('let me see')`),
    message: 'command: {"id": …, "label": …} is required, got "let me see"',
    hint: `Notes and logs belong on stderr. ${onRecord}`,
  },
  {
    name: 'an answer that is no class',
    ...asking(`say({ id, label: 'Yes' })`),
    message: 'command: a label must be one of "no", "yes", got "Yes"',
    hint: `Did you mean "yes"? A label of null says "cannot tell". ${onRecord}`,
  },
  {
    name: 'two answers to one question',
    ...asking(`say({ id, label: 'no' }); say({ id, label: 'yes' })`),
    message: /^command: one answer for "p\d+" is required, got "no" and then "yes"$/,
    hint: onRecord,
  },
  {
    name: 'an answer to another question',
    ...asking(`say({ id: 'p999', label: 'no' })`),
    message: 'command: the id of a question it was asked is required, got "p999"',
    hint: onRecord,
  },
]
