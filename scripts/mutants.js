// Changes the sources one operator at a time and runs the tests that come past it: `npm run mutants [-- room …]`.
// What survives is listed; what cannot be told from the original is explained in test/mutants/equivalent.json.
//   --concurrency 1   processes that run tests at a time; default: one for every core
//   --file name       only this file of the room (again for more): the others keep what is known of them
//   --again           only what survived last time, and files that have changed since
//   --tests path      only these tests of the room (again for more)
//   --within 100      only tests that take so many milliseconds at most: what survives these may fall to the others, with --again
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'))

/**
 * What is looked at, by room, and the tests that have to notice: those of the room itself, as a mistake that only a test far away notices
 * takes long to find, and `without` those that play thousands of records: what only chance notices is not looked for there. In the strict rooms
 * every survivor is killed or explained.
 */
const rooms = {
  certificates: {
    mutate: ['src/certificates/*.ts'],
    tests: ['src/certificates'],
    without: ['in ten thousand records', 'is little wider than one look would be'],
    isStrict: true,
  },
  designs: { mutate: ['src/designs/*.ts'], tests: ['src/designs'], isStrict: true },
  weights: { mutate: ['src/weights/*.ts'], tests: ['src/weights'], isStrict: true },
  security: { mutate: ['src/server/http/security.ts'], tests: ['src/server/http'], isStrict: true },
  core: {
    mutate: ['src/core/*.ts'],
    tests: ['core', 'losses', 'masses', 'designs', 'weights', 'bounds', 'learners', 'strategies'].map((room) => `src/${room}`),
  }, // small tools, tested where they are used
  masses: { mutate: ['src/masses/*.ts'], tests: ['src/masses'] },
  metrics: { mutate: ['src/metrics/*.ts'], tests: ['src/metrics'] },
  running: { mutate: ['src/running/*.ts'], tests: ['src/running'] },
  questions: { mutate: ['src/questions/*.ts'], tests: ['src/questions', 'src/audit'] },
  strategies: { mutate: ['src/strategies/*.ts'], tests: ['src/strategies'] },
  loops: {
    mutate: ['src/loop.ts', 'src/audit.ts', 'src/import-labels.ts'],
    tests: ['src/loop', 'src/audit', 'src/import-labels', 'test/store/on-record.test.ts'],
  },
  stores: { mutate: ['src/stores/*.ts'], tests: ['src/stores'] },
}

const page = 'docs/decisions/mutation-testing.md'
const explained = JSON.parse(readFileSync('test/mutants/equivalent.json', 'utf8'))

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string' },
    file: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    within: { type: 'string' },
    again: { type: 'boolean' },
  },
})
const unknown = wanted.find((name) => !Object.hasOwn(rooms, name))
if (unknown !== undefined) {
  console.error(`mutants: rooms among ${Object.keys(rooms).join(', ')} are required, got ${unknown}`)
  process.exit(2)
}
const chosen = wanted.length > 0 ? wanted : Object.keys(rooms)

const { Stryker } = await import('@stryker-mutator/core')
const rows = []
for (const room of chosen) rows.push(await tryRoom(room))
writeTable(rows)
process.exitCode = rows.some(({ room, survivors }) => rooms[room].isStrict && survivors.length > 0) ? 1 : 0

/** Every mutant of a room: killed, explained, or surviving. */
async function tryRoom(room) {
  const report = `reports/mutants/${room}.json`
  const files = filesOf(room)
  const before = readReport(report)
  const mutate = files.flatMap((file) => rangesIn(file, before[file]))
  const tried = mutate.length > 0 ? await run(room, mutate) : {}
  const known = readReport(report) // another run may have written to it
  const merged = Object.fromEntries(files.flatMap((file) => merge(file, known[file], tried[file], mutate.includes(file))))
  mkdirSync(dirname(report), { recursive: true })
  writeFileSync(report, JSON.stringify(merged))

  const found = mutantsIn(merged)
  const survivors = found.filter(({ status }) => !isKilled(status))
  const [explained, open] = [survivors.filter(reasonOf), survivors.filter((mutant) => !reasonOf(mutant))]
  for (const { file, line, source, replacement } of open) console.log(`${file}:${line}  ${source.trim()}\n    ⇒ ${replacement}`)
  return { room, all: found.length, explained: explained.length, survivors: open, isWhole: files.every((file) => merged[file]) }
}

/** What is known of a room. */
function readReport(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
}

/** Sources of a room. */
function filesOf(room) {
  return globSync(rooms[room].mutate)
    .filter((file) => !/\.(test|contract)\.ts$/.test(file))
    .sort()
}

/** What is to be tried in a file: all of it, nothing, or the places where something survived, as Stryker writes ranges. */
function rangesIn(file, known) {
  if (options.file && !options.file.includes(basename(file))) return []
  if (!options.again || known?.source !== readFileSync(file, 'utf8')) return [file]
  return known.mutants
    .filter((mutant) => !isKilled(mutant.status) && !reasonOf(described(file, known, mutant)))
    .map(({ location: { start, end } }) => `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column}`) // columns from 0
}

/** What this run says of a file, over what was known of it; nothing, where nothing is known of the file as it is now. */
function merge(file, known, tried, isWhole) {
  const source = readFileSync(file, 'utf8')
  const [earlier, later] = [known, tried].map((one) => (one?.source === source ? one.mutants : []))
  const keyOf = ({ location, mutatorName, replacement }) => JSON.stringify([location, mutatorName, replacement])
  const isSome = options.tests || options.within // what fell to other tests is killed
  const killed = earlier.filter(({ status }) => isSome && isKilled(status))
  const mutants = [...new Map([...earlier, ...later, ...killed].map((mutant) => [keyOf(mutant), mutant])).values()]
  return isWhole || known?.source === source ? [[file, { source, mutants }]] : []
}

/** Stryker on what is named, with the tests of the room. */
async function run(room, mutate) {
  const fileName = `reports/mutants/${room}.${process.pid}.json`
  const { tests = rooms[room].tests, within } = options
  process.env.ALIS_MUTANT_TESTS = JSON.stringify({
    without: [],
    ...rooms[room],
    tests,
    ...(within && { within: Number(within) }),
  })
  await new Stryker({
    mutate,
    mutator: { excludedMutations: ['StringLiteral'] }, // the words of messages: tests hold the ones that matter, by their beginning
    testRunner: 'in-process',
    maxTestRunnerReuse: 200, // modules that were loaded are never forgotten
    coverageAnalysis: 'perTest',
    tsconfigFile: 'none', // Stryker reads it by an interface that TypeScript 7 does not have; types are stripped, not checked
    tempDirName: '.stryker',
    ignorePatterns: ['dist', 'docs', 'reports', 'data/letter.csv', '*.alis'],
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName },
    concurrency: Number(options.concurrency ?? availableParallelism()),
    timeoutMS: 40_000, // on a machine with other work; what is without end is counted
    dryRunTimeoutMinutes: 60,
    logLevel: 'warn',
    plugins: [pathToFileURL('test/mutants/runner.ts').href],
  }).runMutationTest()
  const { files } = JSON.parse(readFileSync(fileName, 'utf8'))
  rmSync(fileName)
  return files
}

/** Mutants with the line they stand in. Those that do not run at all say nothing. */
function mutantsIn(files) {
  return Object.entries(files).flatMap(([file, known]) =>
    known.mutants
      .filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status))
      .map((mutant) => described(file, known, mutant)),
  )
}

function described(file, { source }, { status, location, replacement }) {
  const { line } = location.start
  return { file, line, source: source.split('\n')[line - 1], replacement, status }
}

function isKilled(status) {
  return status !== 'Survived' && status !== 'NoCoverage'
}

/** Lines move; what they say stays. */
function reasonOf({ file, source, replacement }) {
  return explained.find((one) => one.file === file && one.source === source.trim() && one.replacement === replacement)?.reason
}

/** The scores, in the page of the decision: rooms that were not tried this time keep theirs. */
function writeTable(tried) {
  const text = readFileSync(page, 'utf8')
  const [start, end] = ['<!-- mutants -->\n', '<!-- /mutants -->']
  const [before, rest] = text.split(start)
  const [table, after] = rest.split(end)
  const kept = new Map(table.split('\n').flatMap((row) => (/^\| `(\w+)`/.test(row) ? [[/^\| `(\w+)`/.exec(row)[1], row]] : [])))
  for (const { room, all, explained: known, survivors, isWhole } of tried) {
    if (!isWhole) continue
    const killed = all - known - survivors.length
    const score = (100 * killed) / Math.max(1, all - known)
    kept.set(room, `| \`${room}\` | ${all} | ${killed} | ${known} | ${survivors.length} | ${score.toFixed(1)} % |`)
  }
  const head = '| room | mutants | killed | equivalent | survived | score |\n| --- | ---: | ---: | ---: | ---: | ---: |'
  const body = Object.keys(rooms).flatMap((room) => kept.get(room) ?? [])
  writeFileSync(page, `${before}${start}${[head, ...body].join('\n')}\n${end}${after}`)
  execFileSync('biome', ['format', '--write', page])
  console.log([head, ...body].join('\n'))
}
