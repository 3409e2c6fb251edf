import { Command } from 'commander'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { usualMetrics } from '../../metrics/catalogue.ts'
import { type AuditFacts, auditFacts, columnsWith } from '../../projects/audit-facts.ts'
import { openToRead } from '../../projects/settings.ts'
import { type AskedAnswer, askAll } from '../../questions/ask.ts'
import { type QuestionWishes, questionsFor, requireQuestions } from '../../questions/asked-questions.ts'
import { auditRecord, certifiedRounds } from '../../questions/audit-rounds.ts'
import { type CertifiedRound, limitsOfClaim } from '../../questions/certificate.ts'
import type { Frame } from '../../questions/frame.ts'
import { askBest, type BestModel } from '../../questions/race.ts'
import type { QuestionSpec } from '../../questions/spec.ts'
import type { Audited } from '../../questions/subject.ts'
import { claimOf, claimOfBest, machinesIn } from '../../questions/words.ts'
import type { Project } from '../../stores/project.ts'
import { visible } from '../../text/visible.ts'
import { count, counted } from '../../text/wording.ts'
import { type EngineOptions, levelOption, withOptions } from '../options/options.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { withMetrics, withSlices } from '../options/questions.ts'
import { sayResult } from '../reports/output.ts'
import { questionJson, questionTable, tableSays } from '../reports/questions.ts'
import { lastAudited, modelOf, type OpenSubject, placeOf, predictionsAt, type SubjectWish } from './project-subject.ts'

interface Options extends QuestionWishes, EngineOptions, OutputOptions {
  readonly pool?: string
}

export function askCommand(): Command {
  const command = withSlices(
    withMetrics(
      new Command('ask').argument('<project>', 'NAME.alis, also while somebody works on it'),
      'error; of grades, their mean',
    ),
  )
    .option('--against <column>', "another model's predictions: measure the difference of the two")
    .option('--each-pool', 'ask everything also about the pool as it was before points were added')
    .option('--pool <address>', 'where the predictions are now, if they were moved')
    .addOption(levelOption())
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
Examples:
  $ alis ask audit.alis --metric recall,precision --each-class
  $ alis ask audit.alis --metric accuracy,kappa --by language,region
  $ alis ask audit.alis --metric error --against old
  $ alis ask digits.alis --metric f1 --each-class --json
  $ alis ask digits.alis --each-pool`,
    )
    .action((path: string, options: Options) => closing(openToRead(path), (project) => run(project, options)))
  return withOptions(command, 'engine')
}

async function run(project: Project, options: Options): Promise<void> {
  const facts = await auditFacts(project)
  requireQuestions(options, facts?.columns?.range !== undefined)
  const subject = facts ? ofAudit(project, facts, options) : ofLearning(project, options)
  const asked = await closing(subject, ({ audited }) => answersOf(project, audited, options))
  sayResult(options, resultOf(project, asked), wordsOf(asked))
}

interface Asked {
  readonly told: readonly AskedAnswer[]
  /** Which model is the best, if that is what draws were made for. */
  readonly best?: BestModel
  readonly answers: number
  /** Answers that were known without a draw. */
  readonly given: number
  readonly points: number
  readonly rounds: readonly Pick<CertifiedRound, 'draws'>[]
}

async function answersOf(project: Project, audited: Audited, options: Options): Promise<Asked> {
  const record = await auditRecord(audited, project)
  const { strata, rounds } = record
  const answers = rounds.reduce((sum, { draws }) => sum + draws.length, 0)
  requireInput(
    answers > 0,
    `${project.path}: must have answers of an audit, got none that can be asked`,
    'alis audit or alis certify gathers them; rounds of an older release have no rules on record.',
  )
  const given = rounds.flatMap((round) => round.given).filter(({ answer }) => answer !== null).length
  const { race } = rounds.at(-1)!.rules
  const known = { answers, given, points: strata.points, rounds: certifiedRounds(audited, await project.rounds()).rounds }
  if (race && !options.metric) return { told: [], best: askBest(record, race), ...known }
  return { told: askAll(record, questionsOf(options, audited.frame)), ...known }
}

function questionsOf(options: Options, frame: Frame): readonly QuestionSpec[] {
  const { ofOne, ofTwo, ofGrades } = usualMetrics
  const usual = frame.range ? ofGrades : options.against === undefined ? ofOne : ofTwo
  return questionsFor(options, frame, [{ metric: usual }])
}

/** Predictions as they were audited, with whatever more is asked about. */
async function ofAudit(project: Project, facts: AuditFacts, options: Options): Promise<OpenSubject> {
  const { by = [], against, pool, json, ...wish } = options
  const { path, columns, classes } = placeOf(facts, project, pool)
  const reading = { ...columns, ...columnsWith(columns, by, against), classes }
  const subject = await predictionsAt(path, reading, { ...wish, isSilent: json })
  if (subject.audited.model !== facts.model) await subject.close()
  requireInput(
    subject.audited.model === facts.model,
    `${path}: must hold the predictions that were audited, got others`,
    'Name the file as it was with --pool.',
  )
  return subject
}

async function ofLearning(project: Project, { by, against, pool, json, ...wish }: Options): Promise<OpenSubject> {
  const option = by ? '--by' : against !== undefined ? '--against' : pool !== undefined ? '--pool' : undefined
  requireInput(
    option === undefined,
    `${option}: a project that audits predictions is required, got one that learns`,
    'Export its predictions and audit them for slices and comparisons.',
  )
  const silent: SubjectWish = { ...wish, isSilent: json }
  return modelOf(project, await lastAudited(project), silent)
}

const when = ({ isRegistered }: { readonly isRegistered: boolean }) => (isRegistered ? 'before' : 'afterwards')

function resultOf({ path }: Project, { told, best, answers, points }: Asked): object {
  const [first] = told
  const { value, low, high, level } = { ...first }
  return {
    project: path,
    ...(first && { metric: first.question.metric, value, low, high, level }),
    answers,
    pool: points,
    ...(best && { best }),
    questions: told.map((asked) => ({ ...questionJson(asked), asked: when(asked) })),
  }
}

const fewClaims = 4

function wordsOf({ told, best, answers, given, points, rounds }: Asked): string {
  const machines = machinesIn(rounds)
  const claims = told.length <= fewClaims ? told : told.filter(({ state }) => state !== 'defined')
  return [
    `${counted(answers, 'answer')} to ${count(points)} points on record; nothing was asked or written now.`,
    ...(best
      ? [visible(claimOfBest(best, answers, machines))]
      : [...tableSays(told), '', questionTable(told, told.map(when)), '']),
    ...claims.map((asked) => visible(claimOf(asked, answers, given, machines))),
    ...limitsOfClaim(rounds).map(visible),
  ].join('\n')
}
