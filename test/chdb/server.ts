// The current ClickHouse behind HTTP, as far as our client speaks it: a process of its own, since its library holds on to one.
// Prints its port. Ends when its standard input does.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

interface Chdb {
  readonly Session: new () => { query(sql: string, format?: string): string; cleanup(): void }
}

const { Session }: Chdb = createRequire(import.meta.url)('chdb')
const session = new Session()
// Each query comes a few times only: to compile it takes longer than to run it.
session.query('SET compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0')
process.stdin.on('end', () => {
  session.cleanup()
  process.exit()
})
process.stdin.resume()

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const url = new URL(request.url!, 'http://localhost')
  const body = Buffer.concat(chunks)
  const type = request.headers['content-type']!
  const isForm = type.startsWith('multipart/')
  const parts = isForm ? await new Response(body, { headers: { 'content-type': type } }).formData() : new FormData()
  const { default_format: format, ...settings } = Object.fromEntries(url.searchParams)
  const sent = [...parts.entries()].filter(([name]) => name !== 'query')
  try {
    for (const [name, file] of sent) {
      session.query(`CREATE TABLE ${name} (${url.searchParams.get(`${name}_structure`)}) ENGINE = Memory`)
      const rows = typeof file === 'string' ? file : await file.text()
      session.query(`INSERT INTO ${name} FORMAT TabSeparated\n${rows}`)
    }
    const set = Object.entries(settings).filter(
      ([name]) => !/_structure$|^wait_end_of_query$|^insert_|^query_id$|^session_/.test(name),
    )
    const sql = isForm ? String(parts.get('query')) : body.toString()
    const isQuestion = sql.startsWith('SELECT') && set.length > 0
    const suffix = isQuestion ? ` SETTINGS ${set.map(([name, value]) => `${name} = '${value}'`)}` : ''
    response.end(session.query(`${sql}${suffix}`, format))
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.message : String(error))
  } finally {
    for (const [name] of sent) session.query(`DROP TABLE IF EXISTS ${name}`)
  }
}).listen(0, '127.0.0.1', function (this: { address(): unknown }) {
  console.log(JSON.stringify(this.address()))
})
