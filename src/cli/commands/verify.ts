import { existsSync, readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { closing } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { drawnIds, type RoundFacts } from '../../core/record.ts'
import { auditFacts } from '../../projects/audit-facts.ts'
import { readCommitment } from '../../projects/committed.ts'
import { conductOf } from '../../projects/conduct.ts'
import { requireReachable } from '../../projects/goals.ts'
import { openToRead, type Settings, settingsOf } from '../../projects/settings.ts'
import { certifiedRounds } from '../../questions/audit-rounds.ts'
import { type Certificate, certificateText, drawsOf, firstDifference, makerWords } from '../../questions/certificate.ts'
import { seedClaim } from '../../questions/commitment.ts'
import { conductFacts } from '../../questions/conduct.ts'
import { isReachedBy } from '../../questions/rules.ts'
import { isKeyOrFingerprint, signatureWords, signerFacts, signerWords } from '../../questions/signature.ts'
import { signatureFault } from '../../questions/signature-fault.ts'
import { certificateFault, isOfProject, type VerifiedSubject } from '../../questions/verification.ts'
import { revisedSince } from '../../questions/void.ts'
import { joinedHash } from '../../sources/joined-table.ts'
import { type EngineOptions, withOptions } from '../options/options.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { numberIn } from '../options/values.ts'
import { sayResult } from '../reports/output.ts'
import { readCertificate } from './certificate-file.ts'
import { NotReached } from './not-reached.ts'
import { modelOf, type OpenSubject, placeOf, predictionsAt } from './project-subject.ts'
import { writeVerifyPage } from './verify-page.ts'

interface Options extends EngineOptions, OutputOptions {
  readonly pool?: string
  readonly project?: string
  readonly signedBy?: string
  readonly commitment?: string
  readonly page?: string
  readonly below?: number
}

export function verifyCommand(): Command {
  const command = new Command('verify')
    .argument('[certificate]', 'certificate.json')
    .option('--pool <address>', 'the predictions it is about: file, pattern or clickhouse://user@host/database/table')
    .option('--project <NAME.alis>', 'the project whose model or audit it is about')
    .option('--signed-by <key>', 'who must have signed it: a public key, its fingerprint, or a file with one of them', keyIn)
    .option('--commitment <published>', 'what was published before: the commitment in its file, or its seal')
    .option(
      '--below <number>',
      'what its first claim must be surely below, or the exit code is 3',
      numberIn(-1, 1, { open: true }),
    )
    .option('--page <file>', 'write a page here that verifies certificates of files in any browser, without a network')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      '\nExamples:\n  $ alis verify audit.json --pool predictions.csv --below 0.05\n  $ alis verify digits.alis/certificates/5f2c.json --project digits.alis\n  $ alis verify --page verify.html',
    )
    .action((path: string | undefined, options: Options) => {
      if (options.page !== undefined) writeVerifyPage(options.page, options)
      requireInput(path !== undefined || options.page !== undefined, 'verify: a certificate is required, got none')
      return path === undefined ? undefined : verify(path, options)
    })
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
  await requireCommitment(certificate, options.commitment)
  const fault = await faultIn(text, certificate, options)
  if (fault) throw new AlisError('bad-input', `certificate: ${fault}`, notFollowing)
  const words = [
    'Verified: every rule, draw, probability and limit follows from the pool, the seed and the answers.',
    seedClaim(certificate),
    makerWords(certificate.madeBy),
    ...conductWords(certificate, options),
    `Signed by ${signerWords(signature)}.${signature ? ` ${signatureWords}` : ''}`,
    ...(gate ? [certificate.claim, `That is ${gate.reached ? '' : 'not '}surely below ${options.below}.`] : []),
  ]
  sayResult(options, { verified: true, ...gate, ...(signature && { signed: signerFacts(signature) }) }, words)
  if (gate?.reached === false) throw new NotReached()
}

/** Who answered and when; as the record has it, or as the certificate alone says. */
function conductWords({ conduct, format }: Certificate, { project }: Options): string[] {
  if (format === 2) return []
  const facts = conductFacts(conduct).map(([name, words]) => `  ${name.padEnd(20)}${words}`)
  const known = project === undefined ? 'It says of itself (--project would show it):' : 'Its record says the same:'
  return [...(conduct ? [known] : []), ...facts]
}

/** The commitment that a certificate has, against the one that was published. */
async function requireCommitment({ committed }: Certificate, published: string | undefined): Promise<void> {
  if (published === undefined) return
  const own = committed?.commitment.seal ?? 'a certificate without one'
  const isSeal = /^sha256:[0-9a-f]{64}$/.test(published)
  const wanted = isSeal ? published : (await readCommitment(published)).seal
  requireInput(
    own === wanted,
    `certificate: commitment ${wanted} is required, got ${own}`,
    'It is of another audit than the one that was committed to.',
  )
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
    (await closing(subject, (open) => certificateFault(certificate, open))) ??
    (certificateText(certificate) === text ? undefined : 'the file must be as it was written, got other white space')
  )
}

type OpenToVerify = VerifiedSubject & OpenSubject

async function ofPredictions(certificate: Certificate, { pool, json, ...wish }: Options): Promise<OpenToVerify> {
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

async function ofProject(certificate: Certificate, path: string, { json, ...wish }: Options): Promise<OpenToVerify> {
  const silent = { ...wish, isSilent: json }
  return closing(openToRead(path), async (project) => {
    const rounds = await project.rounds()
    requireOnRecord(certificate, rounds)
    const conduct = certificate.format === 2 ? undefined : await conductOf(project, certificate, factsIn(certificate))
    const facts = await auditFacts(project)
    if (facts) {
      const place = placeOf(facts, project)
      const reading = { ...certificate.columns, classes: place.classes }
      const { seed, seedChosen } = facts
      return {
        ...(await predictionsAt(place.path, reading, silent)),
        before: [],
        run: { seed, seedChosen, classes: place.classes },
        conduct,
      }
    }
    const settings = await settingsOf(project)
    const { model, pool, after = 0 } = certificate
    const subject = await modelOf(project, { model, settings: asItWas(settings, pool.hash) }, silent)
    const { seed, seedChosen, classes } = settings
    const earlier = rounds.slice(0, after)
    const models = new Map((await project.models()).map((kept) => [kept.model.id, kept.model])) // the project is closed while this is read
    const learning = { rounds: async () => earlier, model: async (id: string) => models.get(id) }
    return { ...subject, before: earlier.flatMap(drawnIds), run: { seed, seedChosen, classes }, learning, conduct }
  })
}

/** How far into the record a certificate says that it reaches. */
function factsIn({ conduct }: Certificate): number | undefined {
  const facts: unknown = conduct?.record?.facts
  return Number.isSafeInteger(facts) ? (facts as number) : undefined
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
