import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AlisError } from '../core/errors.ts'
import { type CommandOracleOptions, commandOracle } from './command.ts'
import { classes, contents, describeOracle, failureOf } from './oracle.contract.ts'
import type { Oracle } from './oracle.ts'

const [ham, spam] = classes as [string, string]

// Every child holds a line to us: when the line goes dead, so has the child.
const lifelines: Socket[] = []
const switchboard = createServer((socket) => lifelines.push(socket.on('error', () => {})))
let port = 0
beforeAll(async () => {
  await once(switchboard.listen(0, '127.0.0.1'), 'listening')
  port = (switchboard.address() as { port: number }).port
})
afterAll(() => switchboard.close())

const oracles: Oracle[] = []
afterEach(async () => {
  for (const oracle of oracles.splice(0)) await oracle.close()
  await Promise.all(lifelines.splice(0).map(dead))
})

const dead = async (line: Socket) => line.destroyed || once(line.resume(), 'close')

/** A program in Node, as the shell takes it. `answer` is a function body: a question comes in, `say` sends what it likes. */
function program(answer: string, more = ''): string {
  const text = `
    const fs = require('node:fs')
    const ham = ${JSON.stringify(ham)}, spam = ${JSON.stringify(spam)}
    const say = (reply) => fs.writeSync(1, (typeof reply === 'string' ? reply : JSON.stringify(reply)) + '\\n')
    const lifeline = require('node:net').connect(${port}, '127.0.0.1').unref()
    const lines = require('node:readline').createInterface({ input: process.stdin })
    ${more}
    lifeline.on('connect', () => lines.on('line', (line) => {
      const { id, fields, classes } = JSON.parse(line)
      ${answer}
    }))`
  return `exec 2>/dev/null '${process.execPath}' -e '${text.replaceAll("'", "'\\''")}'`
}

function oracleOf(command: string, options: Partial<CommandOracleOptions> = {}): Oracle {
  const oracle = commandOracle({ command, classes, contents, ...options })
  oracles.push(oracle)
  return oracle
}

describeOracle('command', (knowledge) =>
  commandOracle({
    command: program(
      `if (!known.has(id) || !fields.text.includes(id) || classes.length !== 2) process.exit(3)
       say({ id, label: known.get(id), note: 'of no interest' })`,
      `const known = new Map(${JSON.stringify([...knowledge])})`,
    ),
    classes,
    contents,
  }),
)

describe('a program that misbehaves', () => {
  const cases: [name: string, deed: string, message: string, hint?: string][] = [
    ['is no JSON', `say('hello')`, '{"id": …, "label": …} is required, got "hello"', 'Notes and logs belong on stderr'],
    ['is no object', `say('[1]')`, '{"id": …, "label": …} is required, got "[1]"'],
    ['is null', `say('null')`, '{"id": …, "label": …} is required, got "null"'],
    ['has no label', `say({ id })`, '{"id": …, "label": …} is required, got "{\\"id\\":\\"b\\"}"'],
    ['has no id', `say({ label: ham })`, 'the id of a question it was asked is required, got none'],
    ['has another id', `say({ id: 'z', label: ham })`, 'the id of a question it was asked is required, got "z"'],
    ['has an id that is no string', `say({ id: 2, label: ham })`, 'the id must come back as the string it was, got "2"'],
    [
      'has a label that is no string',
      `say({ id, label: 1 })`,
      'a label must be one of "ham", "spam \\"é\\"", got "1", no string',
    ],
    ['contradicts', `say({ id: 'a', label: spam })`, 'one answer for "a" is required, got "ham" and then "spam \\"é\\""'],
    ['takes an answer back', `say({ id: 'a', label: null })`, 'one answer for "a" is required, got "ham" and then null'],
    ['is no UTF-8', `fs.writeSync(1, Buffer.from([0x7b, 0xff, 0x0a]))`, 'text in UTF-8 is required, got "{\uFFFD"'],
    [
      'never ends',
      `for (;;) fs.writeSync(1, 'x'.repeat(65536))`,
      'a reply of at most 1048576 bytes is required, got a longer line',
    ],
    ['breaks off', `fs.writeSync(1, '{"id":"b"'); process.exit(1)`, '{"id": …, "label": …} is required, got "{\\"id\\":\\"b\\""'],
    ['never comes: it exits well', `process.exit(0)`, 'answers for 2 points are required, got exit code 0'],
    ['never comes: it exits badly', `process.exit(3)`, 'answers for 2 points are required, got exit code 3'],
    ['never comes: it is killed', `process.kill(process.pid, 'SIGKILL')`, 'answers for 2 points are required, got SIGKILL'],
    ['never comes: it hangs up', `fs.closeSync(1)`, 'answers for 2 points are required, got the end of its output'],
  ]
  it.each(cases)('a reply that %s: says so, keeps what was answered, ends the program', async (_, deed, message, hint = '') => {
    const oracle = oracleOf(program(`if (id === 'a') say({ id, label: ham }); else if (id === 'b') { ${deed} }`))
    const { answers, error } = await failureOf(oracle.label(['a', 'b', 'c']))
    expect(answers).toEqual([{ id: 'a', label: ham }])
    expect(error.message).toBe(`command: ${message}`)
    expect(error.hint).toContain(hint)
    await dead(lifelines[0]!)

    expect(await Array.fromAsync(oracle.label(['a']))).toEqual([{ id: 'a', label: ham }]) // asked again, it starts afresh
    expect(lifelines).toHaveLength(2)
  })

  it('is given up when it is silent for too long', async () => {
    const oracle = oracleOf(program(''), { timeout: 300 })
    const { error } = await failureOf(oracle.label(['a', 'b']))
    expect(error.message).toBe('command: an answer within 0.3 s is required, got none for 2 points')
    expect(error.hint).toContain('flush=True')
  })

  it('is named when the shell does not find it', async () => {
    const { error } = await failureOf(oracleOf('2>/dev/null no-such-program').label(['a']))
    expect(error.message).toBe('command: answers for 1 point are required, got exit code 127')
    expect(error.hint).toContain('did not find')
  })
})

it('takes answers in any order, and the same one twice, and passes over empty lines', async () => {
  const command = program(
    `asked.push(id)
     if (asked.length === 3) for (const one of asked.toReversed()) { say({ id: one, label: ham }); say(' '); say({ id: one, label: ham }) }`,
    'const asked = []',
  )
  const answers = await Array.fromAsync(oracleOf(command).label(['a', 'b', 'c']))
  expect(answers.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})

it('keeps a late reply for the next call, and never asks twice', async () => {
  const command = program(
    `say({ id, label: asked.has(id) ? spam : ham }); asked.add(id)`, //
    'const asked = new Set()',
  )
  const oracle = oracleOf(command)
  for await (const { id } of oracle.label(['a', 'b', 'c'])) if (id === 'a') break
  expect(await Array.fromAsync(oracle.label(['d', 'c']))).toEqual([
    { id: 'c', label: ham }, // the replies for b and c were under way
    { id: 'd', label: ham },
  ])
  expect(await Array.fromAsync(oracle.label(['b']))).toEqual([{ id: 'b', label: ham }])
  expect(await Array.fromAsync(oracle.label(['e']))).toEqual([{ id: 'e', label: ham }]) // and nothing else was in between
})

it('runs one process from the first question to the close, and lets it finish', async () => {
  const oracle = oracleOf(program(`say({ id, label: ham })`, `lines.on('close', () => lifeline.write('bye'))`))
  expect(await Array.fromAsync(oracle.label([]))).toEqual([])
  expect(lifelines).toHaveLength(0)
  for (const id of ['a', 'b', 'c']) await Array.fromAsync(oracle.label([id]))
  expect(lifelines).toHaveLength(1)
  const heard = once(lifelines[0]!, 'data')
  await oracle.close()
  expect(String((await heard)[0])).toBe('bye')
  const { error } = await failureOf(oracle.label(['d']))
  expect(error.message).toBe('command: an open oracle is required, got a closed one')
})

it('hands over no more than the program takes, however large the round', async () => {
  let handed = 0
  const large = async (ids: readonly string[]) => {
    handed += ids.length
    return ids.map((id) => ({ id, fields: { text: 'x'.repeat(10_000) } }))
  }
  const ids = Array.from({ length: 1000 }, (_, i) => `p${i}`)
  const oracle = oracleOf(program(`say({ id, label: ham })`), { contents: large })
  expect(await Array.fromAsync(oracle.label(ids))).toHaveLength(1000)

  handed = 0
  const stuck = oracleOf(`head -n 1 | ${program(`say({ id, label: ham })`)}; sleep 30`, { contents: large })
  for await (const _ of stuck.label(ids)) break
  expect(handed).toBeLessThanOrEqual(200) // pipes hold 20 of these, and contents come by the hundred
})

describe('an abort', () => {
  const reason = new Error('enough')
  const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
  it.each([
    ['alone', 'setInterval(() => {}, 1000)', (command: string) => command],
    ['that is deaf, in a pipeline', deaf, (command: string) => `cat | ${command} | cat`],
    ['that is deaf, in the background', deaf, (command: string) => `exec 3<&0; ${command} <&3 & wait`],
  ])('stops a silent program %s at once', async (_, more, wrap) => {
    const stopping = new AbortController()
    const oracle = oracleOf(wrap(program(`lifeline.write(id)`, more)))
    const asking = Array.fromAsync(oracle.label(['a'], stopping.signal))
    while (lifelines.length === 0) await once(switchboard, 'connection')
    await once(lifelines[0]!, 'data')
    stopping.abort(reason)
    await expect(asking).rejects.toBe(reason)
    await dead(lifelines[0]!)
  })
})

it('passes on what the program writes to stderr, and lets our own process end', async () => {
  const script = `
    import { commandOracle } from ${JSON.stringify(new URL('./command.ts', import.meta.url))}
    const contents = async (ids) => ids.map((id) => ({ id, fields: {} }))
    const command = 'read line; echo thinking >&2; echo \\'{"id": "a", "label": "yes"}\\'; cat'
    const oracle = commandOracle({ command, classes: ['no', 'yes'], contents })
    for await (const { label } of oracle.label(['a'])) console.log(label)
    await oracle.close()`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  expect([stdout, stderr]).toEqual(['yes\n', 'thinking\n'])
})

it('ends the program when the pool cannot be read, with the error of the pool', async () => {
  const error = new AlisError('engine-failed', 'pool: gone')
  const oracle = oracleOf(program(''), { contents: () => Promise.reject(error) })
  await expect(Array.fromAsync(oracle.label(['a']))).rejects.toBe(error)
})

it.each([
  [{ command: ' ' }, 'command: the program that answers is required, got nothing'],
  [{ timeout: 0 }, 'timeout: milliseconds, above 0 and below 2³¹, are required, got 0'],
  [{ timeout: Number.NaN }, 'timeout: milliseconds, above 0 and below 2³¹, are required, got NaN'],
])('refuses %j', (options, message) => {
  expect(() => commandOracle({ command: 'cat', classes, contents, ...options })).toThrow(message)
})
