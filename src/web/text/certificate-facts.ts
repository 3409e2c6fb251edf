import type { Metric } from '../../metrics/catalogue.ts'
import { type AskedMetric, unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateFile } from '../../protocol/certificate.ts'
import type { CertificateSummary, Goal, Project } from '../../protocol/project.ts'
import type { Report } from '../../protocol/report.ts'
import type { Certificate, CertifiedQuestion } from '../../questions/certificate.ts'
import { type Committed, seedClaim, seedSource } from '../../questions/commitment.ts'
import { conductFacts } from '../../questions/conduct.ts'
import type { EarlierCertificate } from '../../questions/earlier.ts'
import { signatureWords, signerWords } from '../../questions/signature.ts'
import { learnedWords, stateText } from '../../questions/words.ts'
import { levelPercentage, percentage, plusMinus } from '../../text/shares.ts'
import { count, counted, listed } from '../../text/wording.ts'
import { dayOf, estimateWords, firstOf, limitWords, scaleWords, voidWords } from './certificate.ts'

export type Fact = readonly [name: string, words: string]

/** What was asked, of what, and who answered: what the project knows beside the file. `report`: of these very answers, or nothing. */
export function aboutFacts(
  { question, pool }: Pick<Project, 'question' | 'pool'>,
  people: CertificateSummary['people'],
  report: Report | undefined,
): Fact[] {
  return [
    ['Question', `“${question}”`],
    ['File', pool],
    ...(people ? [['Who answered', peopleWords(people)] as const] : []),
    ...(report?.first && report.last ? [['When', whenWords(report.first, report.last)] as const] : []),
    ['Saw a prediction first', 'nobody: predictions are shown of answered points only'],
  ]
}

/** "17 November 2026", or from one day to another. */
function whenWords(first: string, last: string): string {
  const [from, to] = [dayOf(first), dayOf(last)]
  return from === to ? from : `${from} to ${to}`
}

export function factsOf(certificate: Certificate, summary: CertificateSummary | undefined): Fact[] {
  const {
    metric,
    goal,
    answers,
    unknown,
    revisions,
    seed,
    seedChosen,
    versions,
    learned,
    classes,
    signature,
    conduct,
    committed,
  } = certificate
  const first = firstOf(certificate)
  return [
    ...(first ? intervalFacts(first) : []),
    [
      'Asked for',
      first ? `${askedWords(wishOf(goal, answers), first.question)}${outcomeWords(certificate)}` : raceWords(certificate),
    ],
    ['Pool', poolWords(certificate)],
    ...(classes.length > 0 ? [['Answers', classWords(classes)] as const] : []),
    ...(learned ? [['Starts from', learnedWords(learned)] as const] : []),
    ['Cannot tell', unknownWords(unknown, first && metric)],
    ['Revised before', revisions.length === 0 ? 'None' : `${counted(revisions.length, 'answer')}: each counts as it stood then`],
    ['Revised since', summary?.isRevised ? voidWords : 'None'],
    ['Draws', drawWords(certificate)],
    ['Seed', seedWords(seed, seedChosen, committed)],
    ['What that shows', seedClaim(certificate)],
    ...conductFacts(conduct),
    ['Signed by', signerWords(signature)],
    ...(signature ? [['What that says', signatureWords] as const] : []),
    ['Made by', `alis-learn ${versions.alis}`],
  ]
}

/** "Ada, 120, and Grace, 20"; those without a name count as one. */
function peopleWords(people: NonNullable<CertificateSummary['people']>): string {
  return listed(
    people.map(({ name, answers }) => `${name === 'anonymous' ? 'somebody without a name' : name}, ${count(answers)}`),
    'and',
  )
}

function intervalFacts(first: CertifiedQuestion): Fact[] {
  const { question, state, level, value } = first
  const when = state === 'defined' ? 'holds at any time' : stateText(state)
  const holds = state === 'defined' || state === 'if any' ? `level ${levelPercentage(level)}, ${when}` : when
  const interval = `${estimateWords(first)}, from ${limitWords(first)}, ${holds}`
  return [
    ['Metric', scaleOf(question)],
    ['Estimate and interval', value === null ? 'None: there is nothing to divide by' : interval],
  ]
}

function scaleOf(asked: AskedMetric): string {
  const isPlain = asked.metric === 'error' && !asked.slice && asked.against === undefined
  return isPlain ? 'Error: the share of points labelled wrongly' : scaleWords(asked)
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
  const isAlikeFirst = rounds.some(({ rules }) => rules.isPlain)
  const where = rules?.race
    ? 'where models differ'
    : `${isAlikeFirst ? 'the first alike, then ' : ''}where answers say most, 40\u00a0% uniform`
  return `Strategy ${strategy === 'uniform' ? strategy : `${strategy} (${where})`}, design successive`
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

function poolWords({ pool, after = 0 }: Certificate): string {
  const points = `${counted(pool.size, 'point')} to draw from`
  return after > 0 ? `${points}; what was drawn or labelled before is no part of it` : points
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
  const { metric, positive, value, low, high, level, goal, answers, unknown, pool, seed, seedChosen, versions } = certificate
  const question = { metric, ...(positive !== undefined && { positive }), level }
  const said = { question, value, low, high }
  return [
    ['Metric', scaleOf(question)],
    ['Said then', `${estimateWords(said)}, from ${limitWords(said)}, level ${levelPercentage(level)}`],
    ['Asked for', askedWords(wishOf(goal, answers), question)],
    ['Answers', `${count(answers)}, ${count(unknown)} of them “cannot tell”`],
    ['Pool', counted(pool.size, 'point')],
    ['Revised since', summary?.isRevised ? voidWords : 'None'],
    ['Seed', seedWords(seed, seedChosen)],
    ['Made by', `alis-learn ${versions.alis}`],
  ]
}

export function hashesOf({ pool, model, seal }: CertificateFile): Fact[] {
  return [
    ['Pool', bare(pool.hash)],
    ['Model', bare(model)],
    ['Seal', bare(seal)],
  ]
}

const bare = (identity: string) => identity.replace(/^sha256:/, '')
