import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { ownPool } from '../engines/own-pool.ts'
import type { TrainingSet } from '../learners/learner.ts'
import { type CommandLearnerOptions, commandLearner, type OpenLearner } from './command-learner.ts'
import { type HttpLearnerOptions, httpLearner } from './http-learner.ts'
import type { FilePool } from './messages.ts'

const ids = ['a', 'b', 'c']
const classes = ['no', 'yes']

/** Points in memory, as a program finds them. */
async function filePool(): Promise<FilePool> {
  const pool = await ownPool({ ids, classes })
  const keep: FilePool['keep'] = async (scores, labels) => {
    if (!('probabilities' in scores)) throw new Error(`a file: ${scores.file}`)
    return pool.keep(scores, labels)
  }
  return { ...pool, keep, pool: { path: '/data/é.csv', id: 'id', hidden: ['y'] }, place: async () => '/tmp/nothing' }
}

const training = (labels: readonly number[] = [1, 0]): TrainingSet => ({
  features: dense(new Float64Array(labels.length), 1),
  labels,
  weights: labels.map(() => 1),
  ids: ids.slice(0, labels.length),
  round: 4,
})

const open: OpenLearner[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const learner of open.splice(0)) await learner.close()
  for (const server of servers.splice(0)) server.close()
})

/** A program in Python. `deed`: what it does with each `task`; `say` replies. */
async function programmed(deed: string, options: Partial<CommandLearnerOptions> = {}) {
  const script = `import json, os, sys, time
def say(**reply): print(json.dumps(reply), flush=True)
for line in sys.stdin:
    fine = {"a": [0.5, 0.5], "b": [0.25, 0.75], "c": [1, 0]}
    task = json.loads(line)
    fit = task["fit"]
    ${deed.replaceAll('\n', '\n    ')}
`
  const command = `exec python3 -c '${script.replaceAll("'", "'\\''")}' 2>/dev/null`
  const learner = commandLearner({ command, pool: await filePool(), seed: 7, ...options })
  open.push(learner)
  return learner
}

/** A real service on this machine. */
async function served(listener: RequestListener, options: Partial<HttpLearnerOptions> = {}) {
  const server = createServer(listener)
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/fit?key=secret`
  const learner = httpLearner({ url, pool: await filePool(), ...options })
  open.push(learner)
  return learner
}

const goOn = 'In a project, every answer is on record: run the same command again to go on.'
const good = 'say(fit=fit, identity="fine", probabilities=fine)'

describe('a program', () => {
  it('stays alive from one fit to the next, and is not asked before the first label', async () => {
    const learner = await programmed(`say(fit=fit, identity="%d, number %d" % (os.getpid(), fit), probabilities=fine)`)
    const blank = await learner.fit(training([]), classes)
    expect(blank).toMatchObject({ kind: 'columns', columns: 1, classes })
    expect(blank.name).toBe(undefined)
    const names = [(await learner.fit(training(), classes)).name, (await learner.fit(training([1, 0, 0]), classes)).name]
    const [pid] = names[0]!.split(',')
    expect(names).toEqual([`${pid}, number 1`, `${pid}, number 2`])
  })

  it('gets the same line of JSON that a service gets', async () => {
    const echo = `say(fit=fit, identity=json.dumps([task[k] for k in sorted(task)])[:190], probabilities=fine)`
    const { name } = await (await programmed(echo)).fit(training(), classes)
    const labels = ['a', 'b'].map((id, k) => ({ id, label: classes[1 - k], weight: 1 }))
    const asked = {
      classes,
      fit: 1,
      hidden: ['y'],
      id: 'id',
      labels,
      pool: '/data/é.csv',
      round: 4,
      seed: 7,
      write: '/tmp/nothing',
    }
    const asPython = JSON.stringify(Object.values(asked))
      .replaceAll(/([,:])(?=["{[\d])/g, '$1 ')
      .replace('é', '\\u00e9')
    expect(name).toBe(asPython.slice(0, 190))

    let heard: unknown
    const service = await served(async (request, response) => {
      heard = JSON.parse(await text(request))
      response.end(JSON.stringify({ fit: 1, identity: 'heard', probabilities: { a: [1, 0], b: [1, 0], c: [1, 0] } }))
    })
    await service.fit(training(), classes)
    expect(heard).toEqual({ ...asked, seed: 0 })
  })

  const shape = '{"fit": …, "identity": …, "file": … or "probabilities": …} is required'
  const cases: [name: string, deed: string, message: string, hint?: string][] = [
    ['a note', 'print("epoch 1", flush=True)', `${shape}, got "epoch 1"`, 'Notes and logs belong on stderr.'],
    ['half a reply', 'sys.stdout.write(\'{"fit": 1,\'); sys.stdout.flush(); os._exit(0)', `${shape}, got "{\\"fit\\": 1,"`],
    ['nothing of use', 'say(fit=fit, identity="x")', shape],
    [
      'the reply to another question',
      'say(fit=9, identity="x", probabilities=fine)',
      'a reply to fit 1 is required, got one to "9"',
    ],
    ['no identity', 'say(fit=fit, probabilities=fine)', 'an identity of 1 to 200 characters on one line is required, got "none"'],
    [
      'an identity of two lines',
      'say(fit=fit, identity="a\\nb", probabilities=fine)',
      'an identity of 1 to 200 characters on one line',
    ],
    [
      'words for numbers',
      'say(fit=fit, identity="x", probabilities={**fine, "b": ["½"]})',
      'a list of probabilities is required for "b"',
    ],
    ['NaN', 'print(json.dumps({"fit": fit, "identity": "x", "probabilities": {"a": [float("nan")]}}), flush=True)', shape],
    ['a point too few', `fine.pop("b"); ${good}`, 'probabilities: every point is required, got none for "b"'],
    [
      'a point twice',
      'print(json.dumps({"fit": fit, "identity": "x", "probabilities": fine})[:-2] + ", \\"a\\": [1, 0]}}", flush=True)',
      'every point is required once, got "a" twice',
    ],
    ['a point too many', `fine["z"] = [1, 0]; ${good}`, 'probabilities: 3 points are required, got 4'],
    [
      'a sum that is not 1',
      `fine["c"] = [0.7, 0.7]; ${good}`,
      'probabilities: 2 from 0 to 1 that add up to 1 are required, got [0.7, 0.7] for "c"',
    ],
    [
      'a class too few',
      `fine["c"] = [1]; ${good}`,
      'probabilities: 2 from 0 to 1 that add up to 1 are required, got [1] for "c"',
    ],
    ['less than nothing', `fine["c"] = [-0.5, 1.5]; ${good}`, 'probabilities: 2 from 0 to 1'],
    [
      'an error of its own',
      'say(fit=fit, error="ValueError: two classes needed")',
      'scores are required, got the error "ValueError: two classes needed"',
    ],
    ['no more: it dies', 'os._exit(3)', 'a reply to fit 1 is required, got exit code 3'],
    ['no more: it is killed', 'os.kill(os.getpid(), 9)', 'a reply to fit 1 is required, got SIGKILL'],
  ]
  it.each(cases)(
    'that says %s is ended with a clear error, and the next fit starts it afresh',
    async (_, deed, message, hint) => {
      const once = `import pathlib; told = pathlib.Path(${JSON.stringify(`/tmp/alis-told-${process.pid}`)})
if told.exists(): told.unlink(); ${good}
else:
    told.touch()
    ${deed}`
      const learner = await programmed(once)
      const error = await Promise.resolve(learner.fit(training(), classes)).catch((caught) => caught)
      expect(error.message).toContain(`command: ${message}`)
      expect(error).toMatchObject({ code: 'learner-failed', hint: expect.stringMatching(new RegExp(`${goOn}$`)) })
      if (hint) expect(error.hint).toContain(hint)
      expect((await learner.fit(training(), classes)).name).toBe('fine')
    },
  )

  it('that takes too long is given up, and one that an abort reaches is stopped at once', async () => {
    const slow = await programmed('time.sleep(60)', { timeout: 300 })
    const late = await Promise.resolve(slow.fit(training(), classes)).catch((caught) => caught)
    expect(late.message).toBe('command: a reply to fit 1 within 0.3 s is required, got none')
    expect(late.hint).toContain('--learner-timeout')

    const stopping = new AbortController()
    const reason = new Error('enough')
    const stopped = await programmed('time.sleep(60)', { signal: stopping.signal })
    const fitting = Promise.resolve(stopped.fit(training(), classes))
    stopping.abort(reason)
    await expect(fitting).rejects.toBe(reason)
  })

  it('that the shell does not find is named as such', async () => {
    const learner = commandLearner({ command: 'no-such-program 2>/dev/null', pool: await filePool() })
    open.push(learner)
    await expect(learner.fit(training(), classes)).rejects.toMatchObject({
      message: 'command: a reply to fit 1 is required, got exit code 127',
      hint: expect.stringContaining('did not find a program'),
    })
  })

  it('of other classes than the pool is refused before it is asked', async () => {
    const learner = await programmed('os._exit(1)')
    await expect(learner.fit(training(), ['no', 'maybe'])).rejects.toThrow('the classes of the pool are required, no, yes')
  })
})

describe('a service', () => {
  const fine = JSON.stringify({ fit: 1, identity: 'far away', probabilities: { a: [1, 0], b: [0.5, 0.5], c: [0, 1] } })
  const noWait = { now: () => 0, sleep: async () => {} }

  it('is asked again while it is in trouble, and sent its token', async () => {
    const tokens: (string | undefined)[] = []
    const learner = await served(
      (request, response) => {
        tokens.push(request.headers.authorization)
        if (tokens.length < 3) response.writeHead(503).end()
        else response.end(fine)
      },
      { clock: noWait, headers: { authorization: 'Bearer hush' } },
    )
    expect((await learner.fit(training(), classes)).name).toBe('far away')
    expect(tokens).toEqual(Array(3).fill('Bearer hush'))
  })

  const cases: [name: string, listener: RequestListener, message: RegExp][] = [
    [
      'stays in trouble',
      (_, response) => response.writeHead(500).end('overheated'),
      /fit: a reply to fit 1 is required, got status 500 "overheated", 2 times$/,
    ],
    [
      'refuses',
      (_, response) => response.writeHead(401).end('who is secret-word?'),
      /fit: scores are required, got status 401 "who is \*\*\*\?"$/,
    ],
    [
      'breaks off',
      (_, response) => response.writeHead(200, { 'content-length': '100' }).write('{"fit', () => response.destroy()),
      /fit: a reply to fit 1 is required, got no connection \(.*\), 2 times$/,
    ],
    ['says nonsense', (_, response) => response.end('<html>'), /fit: \{"fit": ….* is required, got "<html>"$/],
    [
      'leaves out a point',
      (_, response) => response.end(JSON.stringify({ fit: 1, identity: 'x', probabilities: {} })),
      /fit: probabilities: every point is required/,
    ],
  ]
  it.each(cases)('that %s is named without its key, and may be asked again', async (_, listener, message) => {
    const headers = { authorization: 'Bearer secret-word' }
    const learner = await served(listener, { clock: noWait, retries: 1, headers })
    const error = await Promise.resolve(learner.fit(training(), classes)).catch((caught) => caught)
    expect(error.message).toMatch(message)
    expect(`${error.message} ${error.hint}`).not.toContain('secret')
    expect(error.code).toBe('learner-failed')
  })

  it('that is closed, or aborted, is left at once', async () => {
    const stopping = new AbortController()
    const learner = await served(() => {}, { signal: stopping.signal })
    const fitting = Promise.resolve(learner.fit(training(), classes))
    stopping.abort(new Error('enough'))
    await expect(fitting).rejects.toThrow('enough')
    const other = await served(() => {})
    const waiting = Promise.resolve(other.fit(training(), classes))
    await other.close()
    await expect(waiting).rejects.toThrow('an open learner is required, got a closed one')
    for (const server of servers) server.closeAllConnections()
  })
})

it.each([
  [{ command: ' ' }, 'command: the program that fits is required, got nothing'],
  [{ timeout: 0 }, 'timeout: milliseconds, above 0 and below 2³¹, are required, got 0'],
])('refuses %j', async (options, message) => {
  const pool = await filePool()
  expect(() => commandLearner({ command: 'cat', pool, ...options })).toThrow(message)
})

it.each([
  [{ url: 'ftp://x' }, 'learner url: an address that begins with http:// or https:// is required, got ftp://x'],
  [{ url: 'http://me:pw@x' }, 'learner url: an address without a password is required'],
  [{ retries: -1 }, 'retries: a whole number of at least 0 is required, got -1'],
])('refuses %j', async (options, message) => {
  const pool = await filePool()
  expect(() => httpLearner({ url: 'http://x', pool, ...options })).toThrow(message)
})
