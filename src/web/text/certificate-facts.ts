import type { Metric } from '../../metrics/catalogue.ts'
import { type AskedMetric, unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateSummary, Goal, Project } from '../../protocol/project.ts'
import type { Report } from '../../protocol/report.ts'
import type { Certificate, CertifiedQuestion } from '../../questions/certificate.ts'
import { type Committed, seedClaim, seedSource } from '../../questions/commitment.ts'
import { conductFacts } from '../../questions/conduct.ts'
import type { EarlierCertificate } from '../../questions/earlier.ts'
import { signatureWords, signerWords } from '../../questions/signature.ts'
import { learnedWords, stateText } from '../../questions/words.ts'
import { percentage, plusMinus } from '../../text/shares.ts'
import { count, counted, listed } from '../../text/wording.ts'
import { dayOf, estimateWords, firstOf, limitWords, missWords, scaleWords, voidWords } from './certificate.ts'

export type Fact = readonly [name: string, words: string]

/** What was asked, of what, and what came of it. */
export function askedFacts(
  certificate: Certificate,
  { question, after }: Pick<Project, 'question'> & Pick<CertificateSummary, 'after'>,
): Fact[] {
  const { metric, goal, answers, unknown, classes } = certificate
  const first = firstOf(certificate)
  const isPlain = first?.question.metric === 'error' && first.question.against === undefined
  return [
    ['Question', `“${question}”`],
    ...(classes.length > 0 ? [['Possible answers', classWords(classes)] as const] : []),
    ...(isPlain ? [['Wrong means', 'people answered something else'] as const] : []),
    ['About', aboutWords(certificate, after)],
    [
      'Asked for',
      first ? `${askedWords(wishOf(goal, answers), first.question)}${outcomeWords(certificate)}` : raceWords(certificate),
    ],
    ['Could not tell', unknownWords(unknown, first && metric)],
    ...(first ? intervalFacts(first) : []),
  ]
}

/** The model or the predictions that it is about, and which rows. */
function aboutWords({ pool, after: drawnBefore = 0, columns }: Certificate, round: number | undefined): string {
  const { prediction, probabilities, models, score } = columns
  const names = prediction !== undefined ? [prediction] : (models ?? probabilities ?? (score === undefined ? [] : [score]))
  const rows = count(pool.size)
  if (names.length > 0) return `column ${listed(names, 'and')}, ${rows} predictions`
  const model = round === undefined ? 'this model' : `the model after round ${round}, kept as it was`
  const which = drawnBefore > 0 ? ' that nobody had answered or been asked about' : ''
  return `${model}, and ${rows} rows${which}`
}

/** Who gave the answers, when, and how many of them were changed. `report`: of these very answers, or nothing. */
export function whoFacts(
  { revisions, conduct }: Certificate,
  summary: CertificateSummary | undefined,
  report: Pick<Report, 'first' | 'last'> | undefined,
): Fact[] {
  const people = (summary?.people ?? []).map(
    ({ name, answers }): Fact => [name === 'anonymous' ? 'Somebody without a name' : name, counted(answers, 'answer')],
  )
  return [
    ...(conduct ? [] : people),
    ...(!conduct && report?.first && report.last ? [['When', whenWords(report.first, report.last)] as const] : []),
    ...conductFacts(conduct),
    ['Saw the predictions', 'nobody, before answering'],
    ['Revised before', revisions.length === 0 ? 'None' : `${counted(revisions.length, 'answer')}: each counts as it stood then`],
    ['Revised since', summary?.isRevised ? voidWords : 'None'],
  ]
}

/** "17 November 2026", or from one day to another. */
function whenWords(first: string, last: string): string {
  const [from, to] = [dayOf(first), dayOf(last)]
  return from === to ? from : `${from} to ${to}`
}

/** What it was made of: each with its hash, where it has one. */
export function fileFacts(certificate: Certificate, file: string): (readonly [...Fact, hash?: string])[] {
  const { pool, model, seal, answers, learned, seed, seedChosen, committed, signature, versions, columns } = certificate
  const isFile = Object.keys(columns).length > 0
  return [
    ['File', `${file}, ${counted(pool.size, 'row')}`, bare(pool.hash)],
    [
      'Model',
      isFile ? 'No model file was given; the predictions themselves are what is certified' : 'Kept in the project',
      bare(model),
    ],
    ['Answers', `${counted(answers, 'answer')} to rows drawn by lot${learned ? `; starts from ${learnedWords(learned)}` : ''}`],
    ['Drawn', `${drawWords(certificate)}; seed ${seedWords(seed, seedChosen, committed)}`],
    ['What that shows', seedClaim(certificate)],
    ['Signed by', signerWords(signature)],
    ...(signature ? [['What that says', signatureWords] as const] : []),
    ['Seal', '', bare(seal)],
    ['Made with', `alis-learn ${versions.alis}`],
  ]
}

function intervalFacts(first: CertifiedQuestion): Fact[] {
  const { question, state, level, value } = first
  const when = state === 'defined' ? 'holds at any time' : stateText(state)
  const holds = state === 'defined' || state === 'if any' ? `mistaken ${missWords(level)}, ${when}` : when
  const interval = `${scaleWords(question)}: ${estimateWords(first)}, from ${limitWords(first)}, ${holds}`
  return [['To the decimal', value === null ? 'None: there is nothing to divide by' : interval]]
}

function outcomeWords({ goal: { tolerance, below }, reached, answers }: Certificate): string {
  const after = `after ${counted(answers, 'answer')}`
  if (tolerance === undefined && below === undefined) return `, stopped ${after}`
  return reached ? `, reached ${after}` : `: not reached, stopped ${after}`
}

/** What was asked of several models, and what came of it. */
function raceWords({ best, goal: { budget }, answers }: Certificate): string {
  const within = best && best.within > 0 ? ` within ${plusMinus(best.within).slice(1)}` : ''
  const most = budget !== undefined && budget !== answers ? `, at most ${counted(budget, 'answer')}` : ''
  const outcome = best?.model ? ', found after' : ': not found, stopped after'
  return `the best model${within}${most}${outcome} ${counted(answers, 'answer')}`
}

function drawWords({ rounds }: Certificate): string {
  const { strategy = 'uniform', rules } = { ...rounds.at(-1) }
  if (strategy === 'uniform') return 'by plain lot'
  const first = rounds.some(({ rules }) => rules.isPlain) ? 'the first by plain lot, then ' : ''
  return `${first}more often where ${rules?.race ? 'models differ' : 'answers say most'}, two fifths by plain lot; each chance on record`
}

function seedWords(seed: number, seedChosen: boolean, committed?: Committed): string {
  return `${seed}, ${seedSource({ seedChosen, committed })}`
}

/** "±2 %, at most 400 answers" */
export function askedWords(
  { tolerance, below, budget }: Pick<Goal, 'tolerance' | 'below' | 'budget'>,
  asked: Pick<AskedMetric, 'metric' | 'against'>,
): string {
  const wishes = [
    tolerance !== undefined && plusMinus(tolerance, unitOf(asked)),
    below !== undefined && `below ${percentage(below)}`,
    budget !== undefined && `at most ${counted(budget, 'answer')}`,
  ]
  return wishes.filter((wish) => wish !== false).join(', ')
}

/** What was asked for. An audit that was stopped has its answers for a budget, which was not. */
function wishOf({ budget, ...rest }: Certificate['goal'], answers: number): Certificate['goal'] {
  const isOnly = rest.tolerance === undefined && rest.below === undefined
  return budget === undefined || (budget === answers && !isOnly) ? rest : { ...rest, budget }
}

const mostNamed = 12

/** What could be answered, beside "cannot tell". */
function classWords(classes: readonly string[]): string {
  if (classes.length <= mostNamed) return listed(classes, 'or')
  return `one of ${count(classes.length)}: ${classes.slice(0, mostNamed).join(', ')}, …`
}

function unknownWords(unknown: number, metric: Metric | undefined): string {
  const rule =
    metric === 'error'
      ? 'right for the lower end and wrong for the upper end'
      : metric === undefined
        ? 'what speaks against what is said'
        : 'whatever makes the interval wider, at either end'
  if (unknown === 0) return `None. Each would count as ${rule}`
  return `${counted(unknown, 'answer')}. Each counts as ${rule}`
}

/** What is known of a certificate of an earlier release. */
export function earlierFacts(certificate: EarlierCertificate, summary: CertificateSummary | undefined): Fact[] {
  const { metric, positive, value, low, high, level, goal, answers, unknown, pool, model, seal, seed, seedChosen, versions } =
    certificate
  const question = { metric, ...(positive !== undefined && { positive }), level }
  const said = { question, value, low, high }
  return [
    ['About', scaleWords(question)],
    ['Said then', `${estimateWords(said)}, from ${limitWords(said)}, mistaken ${missWords(level)}`],
    ['Asked for', askedWords(wishOf(goal, answers), question)],
    ['Answers', `${count(answers)}, ${count(unknown)} of them “cannot tell”`],
    ['File', counted(pool.size, 'row')],
    ['Revised since', summary?.isRevised ? voidWords : 'None'],
    ['Seed', seedWords(seed, seedChosen)],
    ['Hashes', [pool.hash, model, seal].map(bare).join(', ')],
    ['Made with', `alis-learn ${versions.alis}`],
  ]
}

const bare = (identity: string) => identity.replace(/^sha256:/, '')
