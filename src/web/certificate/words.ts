import { type Metric, metrics } from '../../metrics/catalogue.ts'
import { unitOf } from '../../metrics/metric-labels.ts'
import type { CertificateFile } from '../../protocol/certificate.ts'
import type { CertificateSummary, Goal, Project } from '../../protocol/project.ts'
import { withDecimals } from '../../text/limits.ts'
import { levelPercentage, pageTexts, percentage, plusMinus } from '../../text/shares.ts'
import { count, counted, sentence } from '../../text/wording.ts'

/** A claim with its two limits set apart: what comes before, between and after them. */
export interface ClaimWords {
  readonly before: string
  readonly low: string
  readonly high: string
  readonly after: string
}

/** What a certificate says, in one sentence that claims no more than it measured. */
export function claimOf(certificate: CertificateFile): ClaimWords {
  const { metric, positive, pool } = certificate
  const points = count(pool.size)
  const { claim, pageClaim = claim } = metrics[metric]
  const [before, after] =
    metric === 'error' && isOfProject(certificate)
      ? ['this model is wrong on ', ` of the ${points} points of this pool that nobody had labelled`]
      : pageClaim({ points, positive })
  const said = textsOf(certificate)
  return { before: sentence(`${before}between`), low: said.low, high: said.high, after: `${said.after}${after}.` }
}

/** Its estimate and limits, with a decimal at least. */
function textsOf(certificate: CertificateFile) {
  return pageTexts(certificate, withDecimals(certificate, unitOf(certificate)))
}

/** Whether it is about the model of a project, or about a file of predictions. */
function isOfProject({ columns }: CertificateFile): boolean {
  return columns.prediction === undefined
}

/** What the scale of its picture is of. */
export function scaleWords({ metric, positive }: Pick<CertificateFile, 'metric' | 'positive'>): string {
  return metrics[metric].scale(positive)
}

/** "at most 5 times in 100" */
export function missWords(level: number): string {
  const inHundred = Number((100 * (1 - level)).toFixed(6))
  const [times, of] = Number.isInteger(inHundred) ? [inHundred, 100] : [Number((1000 * (1 - level)).toFixed(3)), 1000]
  return `at most ${counted(times, 'time')} in ${count(of)}`
}

export function says(certificate: CertificateFile): string[] {
  const { level, metric, pool } = certificate
  const { word, quantity = word } = metrics[metric]
  const points = `these ${count(pool.size)} points`
  return [
    isOfProject(certificate)
      ? `It is about this one frozen model and ${points}.`
      : `It is about these predictions and ${points}.`,
    `Intervals made this way miss the true ${quantity} ${missWords(level)}.`,
    'It holds at any time: looking early, or stopping late, did not weaken it.',
  ]
}

export function saysNot(certificate: CertificateFile): string[] {
  const isOurs = isOfProject(certificate)
  return [
    isOurs ? 'How the model does on new points outside this pool.' : 'How good such predictions are on new points.',
    metrics[certificate.metric].leavesOpen ?? 'Which points are wrong.',
    'That the answers are right. People’s answers are the truth here.',
    ...(isOurs ? ['Anything about a model trained later.'] : []),
  ]
}

type Fact = readonly [name: string, words: string]

export function factsOf(certificate: CertificateFile, summary: CertificateSummary | undefined, project: Project): Fact[] {
  const { metric, level, goal, reached, answers, unknown, strategy, seed, seedChosen, versions } = certificate
  const said = textsOf(certificate)
  const asked = askedWords(wishOf(goal, answers), metric)
  const drawn = strategy === 'uniform' ? 'uniform' : `${strategy} (expected loss, 40\u00a0% uniform)`
  return [
    ['Metric', metric === 'error' ? 'Error: the share of points labelled wrongly' : scaleWords(certificate)],
    [
      'Estimate and interval',
      `${said.value}, from ${said.low} to ${said.high}${said.after}, level ${levelPercentage(level)}, holds at any time`,
    ],
    [
      'Asked for',
      `${asked}${reached ? `, reached after ${counted(answers, 'answer')}` : `: not reached, stopped after ${counted(answers, 'answer')}`}`,
    ],
    ['Pool', poolWords(certificate, project.points)],
    ['Cannot tell', unknownWords(unknown, metric)],
    ['Revised', summary?.isRevised ? 'Yes: an answer it rests on was changed after it was written' : 'No'],
    ['Draws', `Strategy ${drawn}, design successive`],
    ['Seed', `${seed}, ${seedChosen ? 'chosen by a person: a chosen seed can be shopped for' : 'from the operating system'}`],
    ['Made by', `alis-learn ${versions.alis}`],
  ]
}

/** "±2 %, at most 400 answers" */
export function askedWords({ tolerance, below, budget }: Pick<Goal, 'tolerance' | 'below' | 'budget'>, metric: Metric): string {
  const wishes = [
    tolerance !== undefined && plusMinus(tolerance, unitOf({ metric })),
    below !== undefined && `below ${percentage(below)}`,
    budget !== undefined && `at most ${counted(budget, 'answer')}`,
  ]
  return wishes.filter((wish) => wish !== false).join(', ')
}

/** What was asked for. An audit that was stopped has its answers for a budget, which was not. */
function wishOf({ budget, ...rest }: CertificateFile['goal'], answers: number): CertificateFile['goal'] {
  const isOnly = rest.tolerance === undefined && rest.below === undefined
  return budget === undefined || (budget === answers && !isOnly) ? rest : { ...rest, budget }
}

function poolWords({ pool }: CertificateFile, points: number): string {
  const before = points - pool.size
  if (before <= 0) return `${count(pool.size)} points, all to draw from`
  return `${count(points)} points: ${count(before)} drawn while learning, ${count(pool.size)} to draw from`
}

function unknownWords(unknown: number, metric: Metric): string {
  const rule =
    metric === 'error'
      ? 'right for the lower end and wrong for the upper end'
      : 'whatever makes the interval wider, at either end'
  if (unknown === 0) return `None. Each would count as ${rule}`
  return `${counted(unknown, 'answer')}. Each counts as ${rule}`
}

export function hashesOf({ pool, model, seal }: CertificateFile): Fact[] {
  return [
    ['Pool', bare(pool.hash)],
    ['Model', bare(model)],
    ['Seal', bare(seal)],
  ]
}

const bare = (identity: string) => identity.replace(/^sha256:/, '')

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** 14 March 2026 */
export function dayOf(time: string): string {
  return day.format(new Date(time))
}
