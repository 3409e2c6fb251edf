import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { type Certificate, certificateText, firstDifference, isSealed } from '../../certificates/certificate.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import { metricNames } from '../../metrics/catalogue.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import { auditedOf, certify } from '../../projects/certify.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import { openToRead, poolOf, type Settings, settingsOf } from '../../projects/settings.ts'
import { joinedHash } from '../../sources/joined-table.ts'
import { memoryStore } from '../../stores/memory.ts'
import { type EngineOptions, jsonFlag, type OutputOptions, withOptions } from '../options/options.ts'
import { sayResult } from '../reports/output.ts'
import { underReadingBar } from '../terminal/reading.ts'
import { closing } from './closing.ts'

interface Options extends EngineOptions, OutputOptions {
  readonly pool?: string
  readonly project?: string
}

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('Recompute a certificate from its record: every hash, draw, probability and the interval.')
    .argument('<certificate>', 'certificate.json')
    .option('--pool <address>', 'the predictions it is about: file, pattern or clickhouse://user@host/database/table')
    .option('--project <NAME.alis>', 'the project whose model it is about')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      '\nExamples:\n  $ alis verify audit.json --pool predictions.csv\n  $ alis verify digits.alis/certificates/5f2c.json --project digits.alis',
    )
    .action(verify)
  return withOptions(command, 'engine')
}

async function verify(path: string, options: Options): Promise<void> {
  const difference = await differenceIn(path, options)
  if (difference)
    throw new AlisError('bad-input', `certificate: ${difference}`, 'This certificate does not follow from its record.')
  const words = 'Verified: every draw, probability and limit follows from the pool, the seed and the answers.'
  sayResult(options, { verified: true }, words)
}

/** Does the whole audit again with the recorded answers, and compares. */
async function differenceIn(path: string, options: Options): Promise<string | undefined> {
  const text = read(path)
  const given = parse(path, text)
  const isWhole = isSealed(given)
  const tolerance = isWhole ? 1e-5 : 0 // what another engine may differ by, as kernels have scores in 32 bits; a broken seal is looked at to the last bit
  const { audited, run, size, store } = await subjectOf(given, options)
  const { goal, level, batch, seed, seedChosen, classes } = given
  const strategy = given.strategy === 'uniform' ? 'uniform' : 'alis-audit'
  const recorded = new Map(given.draws.map(({ id, answer }) => [id, answer]))
  // A point without an answer on record counts as "cannot tell": then the draws differ, and that is what is reported.
  const oracle: Oracle = {
    name: 'record',
    close: async () => {},
    async *label(ids) {
      for (const id of ids) yield { id, label: recorded.get(id) ?? null }
    },
  }

  const early =
    firstDifference(given.pool, { size, hash: audited.poolHash }, 'pool') ??
    firstDifference(given.model, audited.model.id, 'model') ??
    (run && firstDifference({ seed, seedChosen, classes }, run))
  if (early) return early
  const repeated = certify(
    audited,
    { oracle, store },
    { ...pick(given, 'metric', 'positive'), goal, level, batch, strategy, seed, seedChosen },
  )
  let step = await repeated.next()
  for (let at = 0; !step.done; step = await repeated.next()) {
    const { round, draws, answers } = step.value
    for (const { id, order, probability } of draws.filter((draw) => answers.has(draw.id))) {
      const difference = firstDifference(
        given.draws[at],
        { round, order, id, probability, answer: answers.get(id) },
        `draws.${at}`,
        tolerance,
      )
      if (difference) return difference
      at++
    }
  }
  const again = isWhole ? { ...step.value, seal: given.seal } : step.value
  return (
    firstDifference(given, again, '', tolerance) ??
    (certificateText(given) === text ? undefined : 'the file must be as it was written, got other white space')
  )
}

/** What a certificate is about, read again from the file of predictions or from the project; and the record before it. */
async function subjectOf(given: Certificate, { pool, project: path, json, ...wish }: Options) {
  const { columns, classes, after = 0 } = given
  requireInput(
    (pool === undefined) !== (path === undefined),
    `verify: either --pool or --project is required, got ${pool === undefined ? 'none' : 'both'}`,
    after > 0 ? 'This certificate is about the model of a project: --project NAME.alis.' : 'For example --pool predictions.csv.',
  )
  if (path === undefined) {
    const reading = { ...columns, classes, ...pick(given, 'metric', 'positive') }
    const audited = await underReadingBar({ isSilent: json }, (loading) => loadPredictions(pool!, reading, loading, wish))
    return { audited, run: undefined, size: audited.engine.size, store: memoryStore() }
  }
  return closing(openToRead(path), async (project) => {
    const settings = await settingsOf(project)
    const kept = await project.model(given.model)
    requireInput(kept !== undefined, `certificate: model: must be one of the project, got ${given.model}`)
    const then = asItWas(settings, given.pool.hash)
    const data = await underReadingBar({ isSilent: json }, (loading) => poolOf(project, then, loading, wish))
    const audited = auditedOf(settings, data, (await data.look?.()) ?? kept)
    const { seed, seedChosen } = settings
    const before = (await project.rounds()).slice(0, after)
    const store = memoryStore()
    await store.begin({ seed, seedChosen, classes: settings.classes, poolSize: audited.engine.size })
    for (const { answers, isClosed: _, ...opening } of before) {
      await store.openRound(opening)
      for (const [id, label] of answers) await store.answer(opening.round, id, label)
      await store.closeRound(opening.round)
    }
    const labelled = new Set(before.flatMap(({ draws }) => draws.map(({ id }) => id)))
    return { audited, run: { seed, seedChosen, classes: settings.classes }, size: audited.engine.size - labelled.size, store }
  })
}

/** A project as it was when its pool had some hash: what has been added since is left out. */
function asItWas(settings: Settings, hash: string): Settings {
  const lengths = Array.from({ length: settings.added.length + 1 }, (_, k) => k)
  const length = lengths.find((k) => joinedHash([settings.pool, ...settings.added.slice(0, k)]) === hash)
  return { ...settings, added: settings.added.slice(0, length) }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const got = code === 'ENOENT' ? 'nothing there' : code === 'EISDIR' ? 'a directory' : message
    throw new AlisError('bad-input', `${path}: must be a certificate, got ${got}`, 'Check the spelling of the path.', {
      cause: error,
    })
  }
}

function parse(path: string, text: string): Certificate {
  const refusal = `${path}: must be a certificate that alis audit or alis certify wrote, got something else`
  const hint = 'They write JSON; the page beside it is for people.'
  try {
    const parsed: unknown = JSON.parse(text)
    if (isCertificate(parsed)) return parsed
  } catch {} // refused below
  throw new AlisError('bad-input', refusal, hint)
}

/** As much of it as the audit is done again from; all else is compared with what comes out. */
function isCertificate(value: unknown): value is Certificate {
  const { format, metric, draws, columns, classes, pool, goal, level, batch, seed } = { ...(value as Certificate | undefined) }
  const areObjects = [columns, pool, goal, ...(Array.isArray(draws) ? draws : [null])].every(
    (part) => typeof part === 'object' && part !== null,
  )
  const areNumbers = [level, batch, seed].every(Number.isFinite)
  return format === 'alis-certificate/1' && metricNames.includes(metric!) && areObjects && areNumbers && Array.isArray(classes)
}
