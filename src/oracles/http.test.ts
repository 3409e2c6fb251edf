import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { AlisError } from '../core/errors.ts'
import type { Clock } from '../programs/time.ts'
import { type HttpOracleOptions, httpOracle } from './http.ts'
import { classes, contents, describeOracle, failureOf, textOf } from './oracle.contract.ts'
import type { Answer, Oracle } from './oracle.ts'

const [ham] = classes as [string]

interface Asked {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** How often this point has been asked about, this time included. */
  readonly times: number
}

const servers: Server[] = []
const oracles: Oracle[] = []
afterEach(async () => {
  for (const oracle of oracles.splice(0)) await oracle.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A real service on this machine. */
async function serve(answer: (asked: Asked) => unknown): Promise<string> {
  const times = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const { id, fields, classes: names } = JSON.parse(await text(request))
    expect([fields.text, names, request.method]).toEqual([textOf(id), classes, 'POST'])
    times.set(id, (times.get(id) ?? 0) + 1)
    await answer({ id, request, response, times: times.get(id)! })
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/label`
}

const reply = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, headers).end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))

/** A clock on which every wait is over at once. */
function fakeClock(): Clock & { readonly slept: number[] } {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted()
      slept.push(milliseconds)
      now += milliseconds
    },
  }
}

/** A sleep that only an abort ends. */
function whenWoken(signal: AbortSignal, asleep: () => void): Promise<never> {
  asleep()
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('woken'))))
}

function oracleAt(url: string, options: Partial<HttpOracleOptions> = {}): Oracle {
  const oracle = httpOracle({ url, classes, contents, clock: fakeClock(), ...options })
  oracles.push(oracle)
  return oracle
}

describeOracle('http', (knowledge) => {
  const address = serve(({ id, response }) => {
    if (knowledge.has(id)) reply(response, { id, label: knowledge.get(id), note: 'of no interest' })
    else response.destroy()
  })
  let oracle: Oracle | undefined
  return {
    name: 'http',
    async *label(ids, signal) {
      oracle ??= oracleAt(await address)
      yield* oracle.label(ids, signal)
    },
    close: async () => oracle?.close(),
  }
})

describe('a service that misbehaves for good', () => {
  const cases: [name: string, deed: (response: ServerResponse) => void, message: string, hint?: string][] = [
    ['no JSON', (r) => reply(r, 'hello'), '{"label": …} is required, got "hello"'],
    ['nothing', (r) => reply(r, ''), '{"label": …} is required, got ""'],
    ['no content', (r) => r.writeHead(204).end(), '{"label": …} is required, got ""'],
    ['an array', (r) => reply(r, [{ label: ham }]), '{"label": …} is required, got "[{\\"label\\":\\"ham\\"}]"'],
    ['no label', (r) => reply(r, { id: 'b' }), '{"label": …} is required, got "{\\"id\\":\\"b\\"}"'],
    ['another id', (r) => reply(r, { id: 'a', label: ham }), 'an answer for "b" is required, got one for "a"'],
    ['a number', (r) => reply(r, { label: 1 }), 'a label must be one of "ham", "spam \\"é\\"", got "1", no string'],
    ['no UTF-8', (r) => reply(r, Buffer.from([0x7b, 0xff])), 'text in UTF-8 is required, got "{\uFFFD"'],
    ['no end', (r) => reply(r, 'x'.repeat(2 ** 21)), 'a reply of at most 1048576 bytes is required, got a longer one'],
    ['400', (r) => reply(r, 'what?\n', 400), 'an answer is required, got status 400 "what?"'],
    ['401', (r) => reply(r, '', 401), 'an answer is required, got status 401', 'ALIS_ORACLE_TOKEN'],
    ['403', (r) => reply(r, '', 403), 'an answer is required, got status 403', 'ALIS_ORACLE_TOKEN'],
    ['404', (r) => reply(r, '', 404), 'an answer is required, got status 404', 'path'],
    ['405', (r) => reply(r, '', 405), 'an answer is required, got status 405', 'POST'],
    ['a large 422', (r) => reply(r, 'x'.repeat(2 ** 21), 422), 'an answer is required, got status 422'],
    [
      'a redirect',
      (r) => reply(r, '', 307, { location: 'https://example.org/x?key=secret' }),
      'an answer is required, got status 307 to "https://example.org/x"',
      'Redirects are not followed',
    ],
  ]
  it.each(cases)('%s: says so at once, and keeps what was answered', async (_, deed, message, hint = '') => {
    let asked = 0
    const url = await serve(({ id, response }) => {
      asked++
      if (id === 'a') reply(response, { label: ham })
      else deed(response)
    })
    const { answers, error } = await failureOf(oracleAt(url, { concurrency: 1 }).label(['a', 'b', 'c']))
    expect(answers).toEqual([{ id: 'a', label: ham }])
    expect(error.message).toBe(`${url}: ${message}`)
    expect(error.hint).toContain(hint)
    expect(asked).toBe(2) // neither tried again nor gone on
  })
})

describe('a service in trouble that may pass', () => {
  const cases: [name: string, deed: (response: ServerResponse) => void, got: string][] = [
    ['408', (r) => reply(r, '', 408), 'status 408'],
    ['425', (r) => reply(r, '', 425), 'status 425'],
    ['429', (r) => reply(r, 'slow down', 429), 'status 429 "slow down"'],
    ['500', (r) => reply(r, '', 500), 'status 500'],
    ['503', (r) => reply(r, '<p>\u0007', 503), 'status 503 "<p>\\u0007"'],
    ['a dropped connection', (r) => r.destroy(), 'no connection (…)'],
    ['half a reply', (r) => r.writeHead(200, { 'content-length': '99' }).write('{"', () => r.destroy()), 'no connection (…)'],
    ['silence', () => {}, 'none within 0.3 s'],
  ]
  const timeoutFor = (name: string) => ({ timeout: name === 'silence' ? 300 : 10_000 })

  it.each(cases)('%s: is asked again, later and later', async (name, deed) => {
    const clock = fakeClock()
    const url = await serve(({ response, times }) => (times <= 3 ? deed(response) : reply(response, { label: ham })))
    expect(await Array.fromAsync(oracleAt(url, { clock, ...timeoutFor(name) }).label(['a']))).toEqual([{ id: 'a', label: ham }])
    expect(clock.slept).toEqual([500, 1000, 2000])
  })

  it.each(cases)('%s: is given up after the last try', async (name, deed, got) => {
    const clock = fakeClock()
    const url = await serve(({ response }) => deed(response))
    const { error } = await failureOf(oracleAt(url, { clock, retries: 2, ...timeoutFor(name) }).label(['a']))
    const shown = error.message.replace(/\(\w+\)/, '(…)') // codes of lost connections differ between machines
    expect(shown).toBe(`${url}: an answer for "a" is required, got ${got}, 3 times`)
    expect(clock.slept).toEqual([500, 1000])
  })

  it('that nobody listens', async () => {
    const url = await serve(() => {})
    await new Promise((resolve) => servers.pop()!.close(resolve))
    const { error } = await failureOf(oracleAt(url, { retries: 0 }).label(['a']))
    expect(error.message).toBe(`${url}: an answer for "a" is required, got no connection (ECONNREFUSED)`)
  })

  it.each([
    ['7', 7000],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90_000],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 500],
    ['soon', 500],
  ])('is left alone for as long as it asks: Retry-After %s', async (header, wait) => {
    const clock = fakeClock()
    const url = await serve(({ response, times }) =>
      times === 1 ? reply(response, '', 429, { 'retry-after': header }) : reply(response, { label: ham }),
    )
    await Array.fromAsync(oracleAt(url, { clock }).label(['a']))
    expect(clock.slept).toEqual([wait])
  })

  it('is left alone by every question when it asks one to wait', async () => {
    const slept: number[] = []
    const clock: Clock = { now: () => 0, sleep: async (milliseconds) => void slept.push(milliseconds) } // time stands still
    const url = await serve(({ id, response, times }) =>
      id === 'a' && times === 1 ? reply(response, '', 429, { 'retry-after': '7' }) : reply(response, { label: ham }),
    )
    await Array.fromAsync(oracleAt(url, { clock, concurrency: 1 }).label(['a', 'b']))
    expect(slept).toEqual([7000, 7000, 7000]) // the wait of a, and what is left of it, on this clock, for a and for b
  })

  it('that asks for an hour is not waited for', async () => {
    const url = await serve(({ response }) => reply(response, '', 429, { 'retry-after': '3600' }))
    const { error } = await failureOf(oracleAt(url).label(['a']))
    expect(error.message).toBe(`${url}: an answer for "a" is required, got status 429`)
    expect(error.hint).toContain('It wants to be left alone for 60 minutes.')
  })

  it('takes no late reply: what counts is the reply to the question that is open', async () => {
    let first: ServerResponse | undefined
    const url = await serve(({ response, times }) => {
      if (times === 1) first = response
      else {
        reply(first!, { label: null })
        reply(response, { label: ham })
      }
    })
    expect(await Array.fromAsync(oracleAt(url, { timeout: 300 }).label(['a']))).toEqual([{ id: 'a', label: ham }])
  })
})

it('has as many requests under way as it may, and no more', async () => {
  let underWay = 0
  let most = 0
  const waiting: (() => void)[] = []
  const url = await serve(async ({ response }) => {
    most = Math.max(most, ++underWay)
    await new Promise<void>((go) => {
      waiting.push(go)
      if (waiting.length === 3) for (const one of waiting.splice(0)) one()
    })
    underWay--
    reply(response, { label: ham })
  })
  const ids = Array.from({ length: 12 }, (_, i) => `p${i}`)
  const answers = await Array.fromAsync(oracleAt(url, { concurrency: 3 }).label(ids))
  expect(answers.map(({ id }) => id).sort()).toEqual(ids.toSorted())
  expect(most).toBe(3)
})

it('loses no answer that was under way when another question failed, and asks nothing more', async () => {
  const asked: string[] = []
  let slow: ServerResponse | undefined
  const url = await serve(({ id, response }) => {
    asked.push(id)
    if (id === 'slow') slow = response
    if (id === 'bad') reply(response, 'nonsense')
    if (asked.length === 2) setImmediate(() => reply(slow!, { label: ham }))
  })
  const { answers } = await failureOf(oracleAt(url, { concurrency: 2 }).label(['slow', 'bad', 'never']))
  expect(answers).toEqual([{ id: 'slow', label: ham }])
  expect(asked.sort()).toEqual(['bad', 'slow'])
})

it('does not wait to try again once another question has failed', async () => {
  const asleep = Promise.withResolvers<void>()
  const clock: Clock = { now: () => 0, sleep: (_, signal) => whenWoken(signal, asleep.resolve) }
  const asked: string[] = []
  const url = await serve(async ({ id, response }) => {
    asked.push(id)
    if (id === 'busy') return reply(response, '', 503)
    await asleep.promise
    reply(response, 'nonsense')
  })
  const { error } = await failureOf(oracleAt(url, { clock }).label(['busy', 'bad']))
  expect(error.message).toContain('got "nonsense"')
  expect(asked.sort()).toEqual(['bad', 'busy'])
})

it('begins no more requests a second than it may', async () => {
  const clock = fakeClock()
  const url = await serve(({ response }) => reply(response, { label: ham }))
  await Array.fromAsync(oracleAt(url, { clock, rate: 4, concurrency: 1 }).label(['a', 'b', 'c']))
  expect(clock.slept).toEqual([250, 250])
})

it('goes by the clock on the wall where no other is given', async () => {
  const url = await serve(({ response }) => reply(response, { label: ham }))
  const oracle = httpOracle({ url, classes, contents, rate: 200 })
  expect(await Array.fromAsync(oracle.label(['a', 'b', 'c']))).toHaveLength(3)
})

describe('an abort', () => {
  const reason = new Error('enough')
  const aborted = async (oracle: Oracle, stopping: AbortController, until: Promise<unknown>) => {
    const asking = Array.fromAsync(oracle.label(['a', 'b'], stopping.signal))
    await Promise.race([until, asking])
    stopping.abort(reason)
    await expect(asking).rejects.toBe(reason)
  }

  it('hangs up on requests under way', async () => {
    const asked = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    const url = await serve(({ response }) => {
      response.on('close', gone.resolve)
      asked.resolve()
    })
    await aborted(oracleAt(url), new AbortController(), asked.promise)
    await gone.promise
  })

  it('ends the wait before another try', async () => {
    const asleep = Promise.withResolvers<void>()
    const clock: Clock = { now: () => 0, sleep: (_, signal) => whenWoken(signal, asleep.resolve) }
    const url = await serve(({ response }) => reply(response, '', 503))
    await aborted(oracleAt(url, { clock }), new AbortController(), asleep.promise)
  })
})

it('hangs up when it is left or closed, and answers no more when closed', async () => {
  const gone: Promise<unknown>[] = []
  const url = await serve(({ id, response }) => {
    gone.push(once(response, 'close'))
    if (id === 'a') reply(response, { label: ham })
  })
  const oracle = oracleAt(url)
  for await (const _ of oracle.label(['a', 'left'])) break
  const answers: Answer[] = []
  const asking = (async () => {
    for await (const answer of oracle.label(['a', 'closed'])) {
      answers.push(answer)
      await oracle.close()
    }
  })()
  await expect(asking).rejects.toThrow(`${url}: an open oracle is required, got a closed one`)
  expect(answers).toHaveLength(1)
  await Promise.all(gone)
  await failureOf(oracle.label(['a']))
})

describe('secrets', () => {
  const headers = { authorization: 'Bearer tooth-fairy', 'x-key': 'open sesame' }

  it('are sent with every request', async () => {
    const url = await serve(({ request, response }) => {
      expect(request.headers).toMatchObject({ ...headers, 'content-type': 'application/json' })
      reply(response, { label: ham })
    })
    expect(await Array.fromAsync(oracleAt(url, { headers }).label(['a', 'b']))).toHaveLength(2)
  })

  it.each([
    [400, 'you sent Bearer tooth-fairy'],
    [503, `${'x'.repeat(95)}tooth-fairy`], // not even in part
    [200, 'tooth-fairy'],
    [200, '{"label": "tooth-fairy"}'],
    [200, '{"label": ["tooth-fairy"]}'],
    [200, '{"label": "ham", "id": "tooth-fairy"}'],
    [200, '\xff tooth-fairy'],
  ])('are not shown, though the service repeat them: %s %j', async (status, body) => {
    const url = await serve(({ response }) => reply(response, Buffer.from(body, 'latin1'), status))
    const { error } = await failureOf(oracleAt(`${url}?key=sesame`, { headers, retries: 0 }).label(['a']))
    expect(error.message).toContain('***')
    expect(`${error.message} ${error.hint} ${error.stack}`).not.toMatch(/tooth|fairy|sesame/)
  })

  it.each([
    [{ url: 'https://me:sesame@example.org/' }, 'oracle url: an address without a password is required, got one with it'],
    [
      { url: 'ftp://me:sesame@example.org/?sesame' },
      'oracle url: an address that begins with http:// or https:// is required, got ftp://***@example.org/',
    ],
    [
      { headers: { authorization: 'sesame\u0000' } },
      'oracle header "authorization": a name and a value that HTTP allows are required, got others',
    ],
  ])('are not shown when refused: %j', (options, message) => {
    const make = () => httpOracle({ url: 'http://127.0.0.1/', classes, contents, ...options })
    expect(make).toThrow(message)
    expect(make).not.toThrow('sesame')
  })
})

it('passes on the error of a pool that cannot be read', async () => {
  const error = new AlisError('engine-failed', 'pool: gone')
  await expect(
    Array.fromAsync(oracleAt('http://127.0.0.1/', { contents: () => Promise.reject(error) }).label(['a'])),
  ).rejects.toBe(error)
})

it.each([
  [{ url: 'localhost:3000' }, 'oracle url: an address that begins with http:// or https:// is required, got localhost:3000'],
  [{ concurrency: 0 }, 'concurrency: a whole number of at least 1 is required, got 0'],
  [{ retries: 1.5 }, 'retries: a whole number of at least 0 is required, got 1.5'],
  [{ timeout: Number.POSITIVE_INFINITY }, 'timeout: milliseconds, above 0 and below 2³¹, are required, got Infinity'],
  [{ rate: 0 }, 'rate: requests a second, above 0, are required, got 0'],
])('refuses %j', (options, message) => {
  expect(() => httpOracle({ url: 'http://127.0.0.1/', classes, contents, ...options })).toThrow(message)
})
