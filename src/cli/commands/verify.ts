import { existsSync, readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { closing } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import { drawnIds, type RoundFacts } from '../../core/record.ts'
import { auditFacts } from '../../projects/audit-facts.ts'
import { requireReachable } from '../../projects/goals.ts'
import { openToRead, type Settings, settingsOf } from '../../projects/settings.ts'
import { certifiedRounds, type RecordedRounds } from '../../questions/audit-rounds.ts'
import { type Certificate, certificateOf, certificateText, drawsOf, firstDifference } from '../../questions/certificate.ts'
import { goalOnRecord } from '../../questions/certified-record.ts'
import type { Frame } from '../../questions/frame.ts'
import { firstFault } from '../../questions/replay.ts'
import { isReachedBy } from '../../questions/rules.ts'
import { isKeyOrFingerprint, signatureWords, signerFacts, signerWords } from '../../questions/signature.ts'
import { signatureFault } from '../../questions/signature-fault.ts'
import { revisedSince } from '../../questions/void.ts'
import { joinedHash } from '../../sources/joined-table.ts'
import { type EngineOptions, withOptions } from '../options/options.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { numberIn } from '../options/values.ts'
import { sayResult } from '../reports/output.ts'
import { readCertificate } from './certificate-file.ts'
import { NotReached } from './not-reached.ts'
import { modelOf, type OpenSubject, placeOf, predictionsAt } from './project-subject.ts'

interface Options extends EngineOptions, OutputOptions {
  readonly pool?: string
  readonly project?: string
  readonly signedBy?: string
  readonly below?: number
}

export function verifyCommand(): Command {
  const command = new Command('verify')
    .argument('<certificate>', 'certificate.json')
    .option('--pool <address>', 'the predictions it is about: file, pattern or clickhouse://user@host/database/table')
    .option('--project <NAME.alis>', 'the project whose model or audit it is about')
    .option('--signed-by <key>', 'who must have signed it: a public key, its fingerprint, or a file with one of them', keyIn)
    .option(
      '--below <number>',
      'what its first claim must be surely below, or the exit code is 3',
      numberIn(-1, 1, { open: true }),
    )
    .option(...jsonFlag)
    .addHelpText(
      'after',
      '\nExamples:\n  $ alis verify audit.json --pool predictions.csv --below 0.05\n  $ alis verify digits.alis/certificates/5f2c.json --project digits.alis',
    )
    .action(verify)
  return withOptions(command, 'engine')
}

const notFollowing = 'This certificate does not follow from its record.'
const notVouchedFor = 'Ask whoever gave it to you for the one that was signed, and by another way for the key: alis key shows it.'

/** A key, or what a file says it is. */
function keyIn(text: string): string {
  const wanted = isKeyOrFingerprint(text) || !existsSync(text) ? text : readFileSync(text, 'utf8')
  const key = wanted.trim()
  if (!isKeyOrFingerprint(key))
    throw new InvalidArgumentError(
      `a public key, its fingerprint or a file with one of them is required, got ${JSON.stringify(text)}`,
    )
  return key
}

async function verify(path: string, options: Options): Promise<void> {
  const { text, certificate } = readCertificate(path)
  const { signature } = certificate
  const gate = options.below === undefined ? undefined : gateOf(certificate, options.below)
  const unsigned = signatureFault(certificate, options.signedBy)
  if (unsigned) throw new AlisError('bad-input', `certificate: ${unsigned}`, notVouchedFor)
  const fault = await faultIn(text, certificate, options)
  if (fault) throw new AlisError('bad-input', `certificate: ${fault}`, notFollowing)
  const words = [
    'Verified: every rule, draw, probability and limit follows from the pool, the seed and the answers.',
    `Signed by ${signerWords(signature)}.${signature ? ` ${signatureWords}` : ''}`,
    ...(gate ? [certificate.claim, `That is ${gate.reached ? '' : 'not '}surely below ${options.below}.`] : []),
  ]
  sayResult(options, { verified: true, ...gate, ...(signature && { signed: signerFacts(signature) }) }, words.join('\n'))
  if (gate?.reached === false) throw new NotReached()
}

/** The upper limit of what a certificate says first, and whether it is below a ceiling. */
function gateOf({ questions: [first] }: Certificate, below: number) {
  requireInput(first !== undefined, '--below: a certificate of a question is required, got one of the best of several models')
  requireReachable({ below }, [first.question])
  return { high: first.high, reached: isReachedBy(first, { below }) }
}

/** Does the whole audit again with the recorded answers, and compares. */
async function faultIn(text: string, certificate: Certificate, options: Options): Promise<string | undefined> {
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
  /** What the model was learned on, up to the audit. */
  readonly learning?: RecordedRounds
}

const isOfProject = ({ columns: { prediction, probabilities = [], score, models = [] } }: Certificate) =>
  prediction === undefined && score === undefined && probabilities.length + models.length === 0

async function ofPredictions(certificate: Certificate, { pool, json, ...wish }: Options): Promise<VerifiedSubject> {
  requireInput(
    !isOfProject(certificate),
    'verify: --project is required for the model of a project, got --pool',
    'For example --project NAME.alis.',
  )
  const { columns, classes, after } = certificate
  requireInput(
    after === undefined,
    `certificate: after: must be absent without a project, got ${JSON.stringify(after)}`,
    notFollowing,
  )
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
    const earlier = rounds.slice(0, after)
    const models = new Map((await project.models()).map((kept) => [kept.model.id, kept.model])) // the project is closed while this is read
    const learning = { rounds: async () => earlier, model: async (id: string) => models.get(id) }
    return { ...subject, before: earlier.flatMap(drawnIds), run: { seed, seedChosen, classes }, learning }
  })
}

/** A project as it was when its pool had some hash: what has been added since is left out. */
function asItWas(settings: Settings, hash: string): Settings {
  const lengths = Array.from({ length: settings.added.length + 1 }, (_, k) => k)
  const length = lengths.find((k) => joinedHash([settings.pool, ...settings.added.slice(0, k)]) === hash)
  return { ...settings, added: settings.added.slice(0, length) }
}

/** The answers must be those of the project, as they stand. */
function requireOnRecord(certificate: Certificate, rounds: readonly RoundFacts[]): void {
  const drawn = new Set(rounds.flatMap(drawnIds))
  const { rounds: own, learned } = certificate
  const told = [...own.flatMap(({ given, draws }) => [...given, ...draws]), ...(learned?.points ?? [])]
  const stray = told.find(({ id }) => !drawn.has(id))
  requireInput(
    stray === undefined,
    `certificate: points that the project drew are required, got ${JSON.stringify(stray?.id)}, which it never did`,
    'Is it about another project?',
  )
  const revised = revisedSince(certificate, rounds)
  if (!revised) requireSameRounds(certificate, rounds)
  if (!revised) return
  const { id, answer } = revised
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

/** Rules, draws and what was known by then must be those on record: with others the same answers would say something else. */
function requireSameRounds(certificate: Certificate, rounds: readonly RoundFacts[]): void {
  const kept = certifiedRounds(certificate, rounds, drawsOf(certificate).length)
  const others = certificate.revisions.filter((each) => !kept.revisions.some((known) => !firstDifference(each, known)))
  const fault =
    firstDifference(certificate.rounds, kept.rounds.slice(0, certificate.rounds.length), 'rounds') ??
    firstDifference(others, [], 'revisions') ??
    firstDifference(certificate.after ?? 0, kept.after, 'after')
  if (fault) throw new AlisError('bad-input', `certificate: ${fault}`, 'It is not what the project has on record.')
}

async function faultWith(
  certificate: Certificate,
  { audited, before, run, learning }: VerifiedSubject,
): Promise<string | undefined> {
  const { pool, poolHash, model, columns, frame } = audited
  await pool.take(before)
  const { counts } = await pool.counts()
  const { signature: _, ...unsigned } = certificate
  const { seed, seedChosen, classes } = certificate
  return (
    firstDifference(certificate.pool, { size: counts.reduce((sum, n) => sum + n, 0), hash: poolHash }, 'pool') ??
    firstDifference(certificate.model, model, 'model') ??
    firstDifference(certificate.columns, columns, 'columns') ??
    (run && firstDifference({ seed, seedChosen, classes }, run)) ??
    firstDifference(classes, frame.classes, 'classes') ??
    (await firstFault(audited, certificate, learning)) ??
    firstDifference(unsigned, againFrom(certificate, frame))
  )
}

/** What else is said, from the answers and limits that were just made again. */
function againFrom(certificate: Certificate, frame: Frame): Certificate {
  const { questions, versions } = certificate
  const draws = drawsOf(certificate)
  return certificateOf({
    questions: questions.map(({ claim: _, ...asked }) => asked),
    ...pick(certificate, 'best'),
    answers: draws.length,
    unknown: draws.filter(({ answer }) => answer === null).length,
    ...goalOnRecord(frame, certificate),
    ...pick(certificate, 'seed', 'seedChosen', 'pool', 'columns', 'model', 'classes', 'after', 'learned', 'rounds', 'revisions'),
    versions: pick(versions, 'alis'),
  })
}
