import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniform } from '../src/core/randomness.ts'
import { authorizationFor } from './authorization.ts'
import { words } from './bad-input/stock.ts'
import { alisHere } from './in-process.ts'
import { languageModel, pythonHere, standIns } from './stand-ins.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const filesBelow = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name))
    .sort()

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...filesBelow('docs', /\.md$/)].filter((path) =>
  existsSync(join(root, path)),
)

it('every equation cited in the sources is on the page of equations, once', () => {
  const ids = explicitAnchors(read('docs/equations.md'))
  expect(ids.filter((id, i) => ids.indexOf(id) < i)).toEqual([])
  const cited = filesBelow('src', /\.tsx?$/).flatMap((path) =>
    [...read(path).matchAll(/equations\.md#([\w-]+)/g)].map(([, id]) => ({ path, id: id! })),
  )
  expect(cited.length).toBeGreaterThan(30) // the search finds something
  expect(cited.filter(({ id }) => !ids.includes(id))).toEqual([])
})

it('every file and folder of the sources that a page names is there', () => {
  const toBeAdded = /^## Adding[\s\S]*?(?=^## )/m // names files that are not there yet
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md') // which speaks of what was
    .flatMap((page) =>
      [
        ...read(page)
          .replace(toBeAdded, '')
          .matchAll(/\bsrc\/[\w/.-]*\w/g),
      ].map(([path]) => ({ page, path })),
    )
  expect(named.length).toBeGreaterThan(100) // the search finds something
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

it('what a page shows of a run is what is kept of it', () => {
  const kept = read('test/outputs/kept/run-people.txt')
  const shown = pages.flatMap((page) => blocksOf(read(page)).filter(({ code }) => /surely between \d|too early/.test(code)))
  expect(shown.length).toBeGreaterThan(1)
  for (const { code } of shown) expect(kept).toContain(code)
})

it('the recording ends with what is kept of the run', () => {
  const end = /<desc>(.+)<\/desc>/s.exec(read('docs/pictures/run.svg'))![1]!
  expect(end).toContain('Right now the model is wrong on about')
  const unwrapped = (text: string) => text.replace(/\s+/g, '') // a space at the edge of the screen is not seen
  expect(unwrapped(read('test/outputs/kept/run-people.txt'))).toContain(unwrapped(end))
})

describe('links', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    expect(brokenLinks(read(page), dirname(page))).toEqual([])
  })

  it('that lead nowhere are found', () => {
    const text = [
      '[a](nowhere.md) `[b](code.md)` [c](../package.json)',
      '```',
      '[d](fenced.md)',
      '```',
      '[e](concepts.md#nothing)',
    ]
    expect(brokenLinks(text.join('\n'), 'docs')).toEqual(['nowhere.md', 'concepts.md#nothing'])
    expect(brokenLinks('[here](#the-words) [there](#the-wrods)\n\n## The words', 'docs')).toEqual(['#the-wrods'])
  })
})

describe('code', () => {
  const blocks = pages.flatMap((page) => blocksOf(read(page)).map((block) => ({ ...block, name: `${page}:${block.line}` })))
  const runnable = blocks.filter(({ language, code }) => language === 'ts' && /from 'alis-learn'/.test(code))
  const queries = blocks.filter(({ language, code }) => language === 'sql' && code.startsWith('-- DuckDB\n'))

  it('is there, and so is the build it imports', () => {
    expect(runnable.length).toBeGreaterThan(0)
    expect(queries.length).toBeGreaterThan(0)
    expect(existsSync(join(root, 'dist/index.js')), 'npm run build comes first').toBe(true)
  })

  it.each(runnable)('of $name runs and prints what the page says', async ({ code, printed }) => {
    const options = ['--input-type=module-typescript', '--eval', code]
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root })
    if (printed !== undefined) expect(stdout.trimEnd()).toBe(printed)
  })

  it.each(queries)('of $name gives in DuckDB what the page says', async ({ code, printed }) => {
    const database = await DuckDBInstance.create(':memory:')
    const connection = await database.connect()
    const rows = (await connection.runAndReadAll(code)).getRowsJS()
    connection.closeSync()
    database.closeSync()
    expect(rows.map((row) => row.join('  ')).join('\n')).toBe(printed)
  })
})

describe('commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'alis-docs-'))
  const blocks = pages.flatMap((page) => blocksOf(read(page)).map((block) => ({ ...block, page })))
  const programs = blocks.flatMap(({ language, code }) => {
    const name = /^#!.+\n(?:\/\/|#) (\S+)\n/.exec(code)?.[1]
    return name && ['js', 'python'].includes(language) ? [{ name, code }] : []
  })
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ page, code, printed }) => {
      const lines = code.replace(/\\\n\s*/g, '').split('\n')
      // Those on a cluster have a test of their own, which starts one.
      return lines
        .filter((line) => line.startsWith('alis ') && !/clickhouse:|-ch\.(alis|json)/.test(line))
        .map((command, _, { length }) => ({ page, command, printed: length === 1 && isOfData(command) ? printed : undefined }))
    })
  const portOnPage = '8787'
  let port = portOnPage
  let service: ChildProcess | undefined
  let model: Awaited<ReturnType<typeof languageModel>> | undefined

  const surroundings = () => {
    const PATH = [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
    return { ...process.env, PATH }
  }

  /** As on the page, but for the port, which may be taken here: by a shell where it takes one. */
  async function run(command: string): Promise<{ stdout: string }> {
    const own = command.replaceAll(portOnPage, port)
    const isForShell = /[|<>;&$*?"]/.test(own.replace(/'[^']*'/g, ''))
    if (isForShell) return promisify(execFile)('sh', ['-c', own], { cwd: folder, env: surroundings() })
    const outcome = await alisHere(words(own).slice(1), { cwd: folder })
    expect(outcome).toMatchObject({ code: 0 })
    return outcome
  }

  /** A page stays until it is told to go: its address must answer, and Ctrl-C must end it. */
  async function visit(command: string): Promise<{ stdout: string }> {
    const listening = Promise.withResolvers<string>()
    const own = [...words(command.replaceAll('"', "'")).slice(1), '--no-open', '--json', '--port', '0']
    const ending = alisHere(own, { cwd: folder, watch: (said) => /"url":.*\n/.test(said) && listening.resolve(said) })
    const line = await Promise.race([listening.promise, ending])
    if (typeof line !== 'string') throw new Error(line.stderr)
    const url = /"url":"([^"]+)"/.exec(line)![1]!
    await authorizationFor(url)
    process.emit('SIGINT')
    expect(await ending).toMatchObject({ code: 130 })
    return { stdout: line }
  }

  beforeAll(async () => {
    writeFileSync(join(folder, 'digits.csv'), smallDigits())
    writeFileSync(join(folder, 'predictions.csv'), predictionsFile())
    writeFileSync(join(folder, 'verdicts.csv'), verdictsFile())
    for (const name of data) copyFileSync(join(root, 'data', name), join(folder, name))
    writeFileSync(join(folder, 'replies.csv'), repliesFile())
    writeFileSync(join(folder, 'mails.csv'), mailsFile('m', 800))
    writeFileSync(join(folder, 'new-mails.csv'), mailsFile('new', 100))
    writeFileSync(join(folder, 'october.csv'), mailsFile('october', 100))
    writeFileSync(join(folder, 'last-year.csv'), `id,is_spam\n${Array.from({ length: 90 }, (_, i) => `m${i},ham`).join('\n')}\n`)
    await writePools(folder)
    const checked = predictionsFile()
      .split('\n')
      .slice(1, 21)
      .map((row) => row.split(','))
    writeFileSync(
      join(folder, 'checked.csv'),
      ['id,truth', ...checked.map((cells) => `${cells[0]},${cells.at(-1)}`), ''].join('\n'),
    )
    writeFileSync(join(folder, 'some-mails.csv'), mailsFile('m', 200))
    mkdirSync(join(folder, 'bin'))
    copyFileSync(join(root, 'python/alis_learner.py'), join(folder, 'alis_learner.py'))
    standIns(folder)
    symlinkSync(join(root, 'dist/cli/main.js'), join(folder, 'bin/alis'))
    port = await freePort()
    model = await languageModel()
    Object.assign(process.env, surroundings(), { LLM_URL: model.url }) // for programs that commands start from this process
    for (const { name, code } of programs) writeFileSync(join(folder, name), code.replaceAll(portOnPage, port), { mode: 0o755 })
    if (!programs.some(({ name }) => name === 'service.mjs')) return
    service = spawn(process.execPath, ['service.mjs'], { cwd: folder, stdio: 'inherit' })
    await isListening(port)
  })
  afterAll(() => {
    service?.kill()
    model?.close()
    rmSync(folder, { recursive: true })
  })

  it('are there, and so are the programs they start', () => {
    expect(commands.length).toBeGreaterThan(10)
    expect(programs.map(({ name }) => name).sort()).toEqual([
      ...['answer.mjs', 'answer.py', 'ask.mjs', 'forest.py', 'network.py', 'prompt.py', 'service.mjs'],
    ])
  })

  const { path: python, hasForests, hasNetworks } = pythonHere
  it(`in Python can be compiled; ${hasForests ? 'scikit-learn' : 'a stand-in for scikit-learn'} runs`, ({ skip }) => {
    skip(python === undefined, 'there is no Python here')
    const paths = programs.filter(({ name }) => name.endsWith('.py')).map(({ name }) => join(folder, name))
    execFileSync(python!, ['-m', 'py_compile', ...paths])
    for (const { name, code } of programs) if (name.endsWith('.py')) expect(code.split('\n').length).toBeLessThan(46)
  })

  it.for(commands)('$command, of $page, runs', async ({ command, printed }, { skip }) => {
    skip(command.includes('python3') && python === undefined, 'there is no Python here')
    skip(command.includes('network.py') && !hasNetworks, 'there is no PyTorch here')
    const { stdout } = isPage(command) ? await visit(command) : await run(command)
    expect(stdout.length).toBeGreaterThan(0)
    if (printed !== undefined) expect(stdout).toContain(printed)
  })
})

/** Files of ours that the commands find whole; the others stand in for larger ones. */
const data = ['ten-points.csv', 'answers.csv', 'tickets.csv']
const isOfData = (command: string) => data.some((name) => command.includes(name))

/** Whether people are asked: then a command ends when they say so. */
function isPage(command: string): boolean {
  const asksPeople = command.startsWith('alis audit ') && !/--(truth|oracle)/.test(command)
  return asksPeople || command.startsWith('alis label ') || (command.startsWith('alis demo') && !command.includes('--terminal'))
}

/** The first of the digits, and the middle of each picture: to run, commands need no more. */
function smallDigits(): string {
  const lines = read('data/digits.csv').trimEnd().split('\n').slice(0, 701)
  const middle = [2, 3, 4, 5].flatMap((row) => [2, 3, 4, 5].map((column) => 1 + 8 * row + column))
  return `${lines
    .map((line) => line.split(','))
    .map((cells) => [0, ...middle, 65].map((k) => cells[k]).join())
    .join('\n')}\n`
}

/** Predictions of three classes by three models, of which some are wrong, those of the first the less confident the more often. */
function predictionsFile(): string {
  const classes = ['cat', 'dog', 'owl']
  const sources = ['camera', 'phone', 'web']
  const rows = Array.from({ length: 1000 }, (_, i) => {
    const chance = 0.9 * uniform(1, 'chance', `${i}`) ** 7
    const own = i % 3
    const truth = uniform(1, 'wrong', `${i}`) < chance ? (own + 1) % 3 : own
    const old = uniform(1, 'old', `${i}`) < 0.1 ? (own + 2) % 3 : own
    const small = uniform(1, 'small', `${i}`) < 0.2 ? (own + 1) % 3 : own
    const source = sources[Math.floor(3 * uniform(1, 'source', `${i}`) ** 2)] ?? 'web'
    const said = [own, old, small].map((place) => classes[place])
    return `n${i},${said[0]},${(1 - chance).toFixed(4)},${said[1]},${said[2]},${source},${classes[truth]}`
  })
  return ['id,label,p,old,small,source,y', ...rows, ''].join('\n')
}

/** What a judge and people say of the same things: they agree most of the time. */
function verdictsFile(): string {
  const rows = Array.from({ length: 1200 }, (_, i) => {
    const verdict = uniform(1, 'verdict', `${i}`) < 0.7 ? 'pass' : 'fail'
    const isSame = uniform(1, 'agree', `${i}`) < 0.9
    return `v${i},${verdict},${isSame ? verdict : verdict === 'pass' ? 'fail' : 'pass'}`
  })
  return ['id,verdict,person', ...rows, ''].join('\n')
}

/** Grades from 1 to 5, of a model and of people, who differ by one at most. */
function repliesFile(): string {
  const rows = Array.from({ length: 1500 }, (_, i) => {
    const grade = 1 + Math.floor(4.999 * uniform(1, 'grade', `${i}`) ** 0.5)
    const person = grade + Math.floor(3 * uniform(1, 'person', `${i}`)) - 1
    return `r${i},${grade},${Math.min(5, Math.max(1, person))}`
  })
  return ['id,grade,person', ...rows, ''].join('\n')
}

/** The digits and the predictions as Parquet files, and the digits as a database. */
async function writePools(folder: string): Promise<void> {
  mkdirSync(join(folder, 'pool'))
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  await connection.run(`CREATE TABLE digits AS FROM '${join(folder, 'digits.csv')}'`)
  await connection.run(`COPY (FROM digits LIMIT 400) TO '${join(folder, 'pool/part-1.parquet')}'`)
  await connection.run(`COPY (FROM digits OFFSET 400) TO '${join(folder, 'pool/part-2.parquet')}'`)
  await connection.run(`COPY (FROM '${join(folder, 'predictions.csv')}') TO '${join(folder, 'predictions.parquet')}'`)
  await connection.run(`ATTACH '${join(folder, 'pool.duckdb')}' AS pool`)
  await connection.run('CREATE TABLE pool.digits AS FROM digits')
  await connection.run('DETACH pool')
  connection.closeSync()
  database.closeSync()
}

/** Short mails without labels. Four in ten have a word that baits. */
function mailsFile(kind: string, size: number): string {
  const common = 'please send the report for our meeting on monday thanks see you at lunch about your new order today'.split(' ')
  const bait = ['prize', 'winner', 'loan', 'casino', 'free']
  const rows = Array.from({ length: size }, (_, i) => {
    const pick = (words: readonly string[], what: string) =>
      words[Math.floor(words.length * (1 - uniform(1, what, `${kind}${i}`)))]!
    const words = Array.from({ length: 8 }, (_, k) => pick(common, `word ${k}`))
    if (uniform(1, 'bait', `${kind}${i}`) < 0.4) words.splice(Number(pick(['0', '3', '8'], 'place')), 0, pick(bait, 'which'))
    return `${kind}${i},${words.join(' ')}`
  })
  return ['id,text', ...rows, ''].join('\n')
}

/** A port of this machine that is free. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

async function isListening(port: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(Number(port), '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await setTimeout(100)
  }
  throw new Error(`nobody listens on port ${port}`)
}

interface Block {
  readonly language: string
  readonly line: number
  readonly code: string
  /** The `text` block that follows directly, if one does. */
  readonly printed: string | undefined
}

function blocksOf(markdown: string): Block[] {
  const fence = /^```(\w*)\n([\s\S]*?)^```$/gm
  const found = [...markdown.matchAll(fence)].map((match) => ({
    language: match[1]!,
    line: markdown.slice(0, match.index).split('\n').length,
    code: match[2]!,
    start: match.index,
    end: match.index + match[0].length,
  }))
  return found.map(({ language, line, code, end }, i) => {
    const next = found[i + 1]
    const isFollowed = next?.language === 'text' && markdown.slice(end, next.start).trim() === ''
    return { language, line, code, printed: isFollowed ? next.code.trimEnd() : undefined }
  })
}

/** Relative links of a page, standing in a folder, whose file or anchor does not exist. */
function brokenLinks(markdown: string, folder: string): string[] {
  const prose = withoutCode(markdown)
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)].map(([, target]) => target!)
  return links.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false // another site
    const [path = '', anchor] = target.split('#')
    const file = relative(root, join(root, folder, decodeURIComponent(path)))
    if (path !== '' && !existsSync(join(root, file))) return true
    if (anchor === undefined) return false
    return !anchorsOf(path === '' ? markdown : read(file)).includes(anchor)
  })
}

function anchorsOf(markdown: string): string[] {
  const headings = [...withoutFences(markdown).matchAll(/^#+ +(.+)$/gm)].map(([, title]) => slugOf(title!))
  return [...headings, ...explicitAnchors(markdown)]
}

function explicitAnchors(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)
}

/** A heading's anchor as GitHub makes it. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

const withoutFences = (markdown: string) => markdown.replace(/^```[\s\S]*?^```$/gm, '')
const withoutCode = (markdown: string) => withoutFences(markdown).replace(/`[^`\n]*`/g, '')
