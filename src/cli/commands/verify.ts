import { Command } from 'commander'
import { closing } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { drawnIds, type RoundFacts } from '../../core/record.ts'
import { openToRead, type Settings, settingsOf } from '../../projects/settings.ts'
import {
  type Certificate,
  type CertifiedQuestion,
  certificateOf,
  certificateText,
  drawsOf,
  firstDifference,
} from '../../questions/certificate.ts'
import { firstFault } from '../../questions/replay.ts'
import { isReachedBy } from '../../questions/rules.ts'
import { isVoid } from '../../questions/void.ts'
import { joinedHash } from '../../sources/joined-table.ts'
import { type EngineOptions, jsonFlag, type OutputOptions, withOptions } from '../options/options.ts'
import { sayResult } from '../reports/output.ts'
import { auditFacts } from './audit-facts.ts'
import { readCertificate } from './certificate-file.ts'
import { modelOf, type OpenSubject, placeOf, predictionsAt } from './project-subject.ts'

interface Options extends EngineOptions, OutputOptions {
  readonly pool?: string
  readonly project?: string
}

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('Recompute a certificate from its record: every hash, rule, draw, probability and limit.')
    .argument('<certificate>', 'certificate.json')
    .option('--pool <address>', 'the predictions it is about: file, pattern or clickhouse://user@host/database/table')
    .option('--project <NAME.alis>', 'the project whose model or audit it is about')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      '\nExamples:\n  $ alis verify audit.json --pool predictions.csv\n  $ alis verify digits.alis/certificates/5f2c.json --project digits.alis',
    )
    .action(verify)
  return withOptions(command, 'engine')
}

const notFollowing = 'This certificate does not follow from its record.'

async function verify(path: string, options: Options): Promise<void> {
  const fault = await faultIn(path, options)
  if (fault) throw new AlisError('bad-input', `certificate: ${fault}`, notFollowing)
  const words = 'Verified: every rule, draw, probability and limit follows from the pool, the seed and the answers.'
  sayResult(options, { verified: true }, words)
}

/** Does the whole audit again with the recorded answers, and compares. */
async function faultIn(path: string, options: Options): Promise<string | undefined> {
  const { text, certificate } = readCertificate(path)
  const { pool, project } = options
  requireInput(
    (pool === undefined) !== (project === undefined),
    `verify: either --pool or --project is required, got ${pool === undefined ? 'none' : 'both'}`,
    isOfProject(certificate)
      ? 'This certificate is about the model of a project: --project NAME.alis.'
      : 'For example --pool predictions.csv.',
  )
  const subject = project === undefined ? ofPredictions(certificate, options) : ofProject(certificate, project, options)
  return (
    (await closing(subject, (open) => faultWith(certificate, open))) ??
    (certificateText(certificate) === text ? undefined : 'the file must be as it was written, got other white space')
  )
}

/** What a certificate is about, and what a project has on record of it. */
interface VerifiedSubject extends OpenSubject {
  /** Points that were known before the audit began. */
  readonly before: readonly string[]
  readonly run?: Pick<Certificate, 'seed' | 'seedChosen' | 'classes'>
}

const isOfProject = ({ columns: { prediction, probabilities = [], score, models = [] } }: Certificate) =>
  prediction === undefined && score === undefined && probabilities.length + models.length === 0

async function ofPredictions(certificate: Certificate, { pool, json, ...wish }: Options): Promise<VerifiedSubject> {
  requireInput(
    !isOfProject(certificate),
    'verify: --project is required for the model of a project, got --pool',
    'For example --project NAME.alis.',
  )
  const { columns, classes } = certificate
  return { ...(await predictionsAt(pool!, { ...columns, classes }, { ...wish, isSilent: json })), before: [] }
}

async function ofProject(certificate: Certificate, path: string, { json, ...wish }: Options): Promise<VerifiedSubject> {
  const silent = { ...wish, isSilent: json }
  return closing(openToRead(path), async (project) => {
    const rounds = await project.rounds()
    requireOnRecord(certificate, rounds)
    const facts = await auditFacts(project)
    if (facts) {
      const place = placeOf(facts, project)
      const reading = { ...certificate.columns, classes: place.classes }
      const { seed, seedChosen } = facts
      return {
        ...(await predictionsAt(place.path, reading, silent)),
        before: [],
        run: { seed, seedChosen, classes: place.classes },
      }
    }
    const settings = await settingsOf(project)
    const { model, pool, after = 0 } = certificate
    const subject = await modelOf(project, { model, settings: asItWas(settings, pool.hash) }, silent)
    const { seed, seedChosen, classes } = settings
    return { ...subject, before: rounds.slice(0, after).flatMap(drawnIds), run: { seed, seedChosen, classes } }
  })
}

/** A project as it was when its pool had some hash: what has been added since is left out. */
function asItWas(settings: Settings, hash: string): Settings {
  const lengths = Array.from({ length: settings.added.length + 1 }, (_, k) => k)
  const length = lengths.find((k) => joinedHash([settings.pool, ...settings.added.slice(0, k)]) === hash)
  return { ...settings, added: settings.added.slice(0, length) }
}

/** The answers must be those of the project, as they stand. */
function requireOnRecord({ rounds: certified }: Certificate, rounds: readonly RoundFacts[]): void {
  const drawn = new Set(rounds.flatMap(drawnIds))
  const told = certified.flatMap(({ given, draws }) => [...given, ...draws])
  const stray = told.find(({ id }) => !drawn.has(id))
  requireInput(
    stray === undefined,
    `certificate: points that the project drew are required, got ${JSON.stringify(stray?.id)}, which it never did`,
    'Is it about another project?',
  )
  if (!isVoid(told, rounds)) return
  const { id, answer } = told.find((each) => isVoid([each], rounds))!
  const wasGiven = rounds.some(({ revisions }) => revisions.some((revision) => revision.id === id && revision.from === answer))
  requireInput(
    wasGiven,
    `certificate: answers of the project are required, got ${JSON.stringify(answer)} for ${JSON.stringify(id)}, which nobody gave`,
    notFollowing,
  )
  throw new AlisError(
    'bad-input',
    'certificate: answers that stand are required, got some that were revised since: it is void',
    'Run alis certify or alis audit on the project again: it writes a new one from the answers as they are.',
  )
}

async function faultWith(certificate: Certificate, { audited, before, run }: VerifiedSubject): Promise<string | undefined> {
  const { pool, poolHash, model } = audited
  await pool.take(before)
  const { counts } = await pool.counts()
  const { seed, seedChosen, classes } = certificate
  return (
    firstDifference(certificate.pool, { size: counts.reduce((sum, n) => sum + n, 0), hash: poolHash }, 'pool') ??
    firstDifference(certificate.model, model, 'model') ??
    (run && firstDifference({ seed, seedChosen, classes }, run)) ??
    (await firstFault(audited, certificate)) ??
    firstDifference(certificate, againFrom(certificate))
  )
}

/** What else is said, from the answers and limits that were just made again. */
function againFrom(certificate: Certificate): Certificate {
  const { questions, goal, best } = certificate
  const draws = drawsOf(certificate)
  const { format: _, claim, metric, positive, value, low, high, level, seal, ...content } = certificate
  return certificateOf({
    ...content,
    questions: questions.map(({ claim: _, ...asked }) => asked),
    answers: draws.length,
    unknown: draws.filter(({ answer }) => answer === null).length,
    reached: best ? best.model !== null : questions.every((asked) => isAside(asked, questions[0]!) || isReachedBy(asked, goal)),
  })
}

/** Whether a question is about the pool before points were added to it: the goal is that of the others. */
const isAside = ({ question }: CertifiedQuestion, first: CertifiedQuestion) => question.poolSize !== first.question.poolSize
