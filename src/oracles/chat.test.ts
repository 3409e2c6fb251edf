import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChatOracleOptions, chatOracle } from './chat.ts'
import { failureOf } from './oracle.contract.ts'

interface Request {
  readonly headers: IncomingMessage['headers']
  readonly url: string | undefined
  readonly body: { readonly model: string; readonly messages: readonly { readonly content: string }[] }
}

let server: Server
let url = ''
let requests: Request[] = []
let reply: (prompt: string) => unknown = () => 'spam'
const folder = mkdtempSync(join(tmpdir(), 'alis-chat-'))

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = (await json(request)) as Request['body']
    requests.push({ headers: request.headers, url: request.url, body })
    const said = reply(body.messages[0]!.content)
    if (typeof said === 'number') response.writeHead(said).end('{"error":{"message":"no"}}')
    else response.end(JSON.stringify({ choices: [{ message: { content: said } }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => {
  requests = []
  reply = () => 'spam'
})

const texts = new Map(Array.from({ length: 12 }, (_, i) => [`p${i}`, i % 2 === 0 ? `prize ${i}` : `lunch ${i}`]))
const contents: ChatOracleOptions['contents'] = async (ids) => ids.map((id) => ({ id, fields: { text: texts.get(id) ?? '' } }))
const oracle = (options: Partial<ChatOracleOptions> = {}) =>
  chatOracle({
    url,
    model: 'tiny',
    prompt: 'Is this {classes}? {text}',
    columns: ['text', 'from'],
    classes: ['spam', 'ham'],
    contents,
    retries: 0,
    ...options,
  })
const said = async (options: Partial<ChatOracleOptions>, ids: readonly string[]) =>
  new Map((await Array.fromAsync(oracle(options).label(ids))).map(({ id, label }) => [id, label]))

describe('a language model', () => {
  it('is asked in the words of the prompt, with headers and settings, and its reply is read', async () => {
    reply = (prompt) => (prompt.includes('prize') ? 'SPAM.' : '{"label": "ham"}')
    const options = { headers: { authorization: 'Bearer secret' }, settings: { temperature: 0 } }
    expect(await said(options, ['p0', 'p1'])).toEqual(new Map([['p0', 'spam'], ['p1', 'ham']])) // biome-ignore format: short
    expect(requests.map(({ url }) => url)).toEqual(['/v1/chat/completions', '/v1/chat/completions'])
    expect(requests[0]!.headers.authorization).toBe('Bearer secret')
    const messages = [{ role: 'user', content: 'Is this spam, ham? prize 0' }]
    expect(requests.map(({ body }) => body)).toContainEqual({ temperature: 0, model: 'tiny', messages })
    expect(oracle().machine).toBe(`tiny at ${new URL(url).host}`)
  })

  it('that says nothing clear cannot tell, and fails where it does so again and again', async () => {
    reply = (prompt) => (prompt.includes('prize') ? 'Who knows' : 'ham')
    expect([...(await said({ concurrency: 1 }, [...texts.keys()])).values()]).toEqual(
      [...texts.keys()].map((_, i) => (i % 2 ? 'ham' : null)),
    )
    reply = () => 'Who knows'
    const { error } = await failureOf(oracle({ concurrency: 1 }).label([...texts.keys()]))
    expect(error.message).toContain('got 5 in a row that do not, the last "Who knows"')
  })

  it('may keep back what it says, or say it in parts', async () => {
    reply = (prompt) =>
      prompt.includes('prize')
        ? [
            { type: 'text', text: 'sp' },
            { type: 'text', text: 'am' },
          ]
        : null
    expect([...(await said({}, ['p0', 'p1'])).values()]).toEqual(['spam', null])
  })

  it('is paid once for the same words, also by another process', async () => {
    const cache = join(folder, 'replies.jsonl')
    await said({ cache }, ['p0', 'p1', 'p2'])
    writeFileSync(cache, `${readFileSync(cache, 'utf8')}{"request":"cut o`)
    await said({ cache }, ['p2', 'p3'])
    await said({ cache }, ['p0', 'p3'])
    expect(requests).toHaveLength(4)
    texts.set('q0', 'prize 4').set('q1', 'prize 4')
    await said({ concurrency: 4 }, ['p4', 'q0', 'q1'])
    expect(requests).toHaveLength(5)
    await said({ cache, model: 'other' }, ['p0'])
    expect(requests).toHaveLength(6)
  })

  it('is asked no more than it may be, and what it said stands', async () => {
    const { answers, error } = await failureOf(oracle({ requests: 3, concurrency: 1 }).label([...texts.keys()]))
    expect({ answers: answers.length, requests: requests.length }).toEqual({ answers: 3, requests: 3 })
    expect(error.message).toContain('an answer within 3 requests is required')
  })

  it('that refuses is quoted, without what is secret', async () => {
    reply = () => 401
    const { error } = await failureOf(oracle({ headers: { authorization: 'Bearer secret' } }).label(['p0']))
    expect(error.message).toContain('status 401')
    expect(error.hint).toContain('ALIS_ORACLE_TOKEN')
  })

  it('grades within the range', async () => {
    reply = () => 'Grade: 4/5'
    expect([...(await said({ range: [1, 5], classes: [] }, ['p0'])).values()]).toEqual(['4'])
  })

  it.each([
    ['Is this spam?', 'a place for a column is required, got none'],
    ['Is this spam? {txt}', 'a column that is shown is required in braces, got {txt}'],
  ])('is not asked %j', (prompt, message) => expect(() => oracle({ prompt })).toThrow(message))

  it('may be shown JSON, and braces', async () => {
    await said({ prompt: 'Reply {"label": "spam"} or {{text}}: {text}' }, ['p0'])
    expect(requests[0]!.body.messages[0]!.content).toBe('Reply {"label": "spam"} or {text}: prize 0')
  })

  it('keeps its replies in a file of its own', () => {
    const cache = join(folder, 'other.csv')
    writeFileSync(cache, 'id,text\n')
    expect(() => oracle({ cache })).toThrow('replies that were kept are required')
  })
})
