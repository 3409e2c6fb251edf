import { defaultLoss } from '../../losses/catalogue.ts'
import type { Begin, Inspection } from '../../protocol/start.ts'
import type { KeyedClass } from '../../text/class-keys.ts'
import { fieldProblems, fieldTitles } from '../text/fields.ts'
import { roughly } from '../text/start.ts'
import { problemOfClasses } from './classes.ts'
import { type Choices, wishesOf } from './columns.ts'
import { type GoalPrice, usualGoal } from './goal-prices.ts'

/** A project as it is being described. Numbers are kept as typed, so that nothing is lost while they are wrong. */
export interface Draft extends Readonly<Record<Words | Numeric, string>> {
  readonly choices: Choices
  readonly classes: readonly KeyedClass[]
  /** How well the model is to be known in the end; the budget follows. */
  readonly goal: number | 'all'
}

type Words = 'question' | 'guidelines' | 'strategy' | 'project' | 'loss'

export type Numeric = 'batch' | 'budget' | 'start' | 'l2' | 'weighting' | 'know' | 'seed'

interface Limits {
  readonly title: string
  readonly low: number
  readonly high: number
  readonly isWhole: boolean
  /** Whether it may be left empty: then alis chooses. */
  readonly isOptional: boolean
}

/** The number fields: what they are called, and what they take. */
export const limits: Readonly<Record<Numeric, Limits>> = {
  batch: { title: fieldTitles.batch, low: 1, high: 10_000, isWhole: true, isOptional: false },
  budget: { title: fieldTitles.budget, low: 1, high: 1_000_000_000, isWhole: true, isOptional: false },
  start: { title: fieldTitles.start, low: 1, high: 10_000, isWhole: true, isOptional: false },
  l2: { title: fieldTitles.l2, low: 1e-12, high: 1e12, isWhole: false, isOptional: true },
  weighting: { title: fieldTitles.weighting, low: 0, high: 1, isWhole: false, isOptional: true },
  know: { title: fieldTitles.know, low: 0.1, high: 1, isWhole: false, isOptional: true },
  seed: { title: fieldTitles.seed, low: 0, high: Number.MAX_SAFE_INTEGER, isWhole: true, isOptional: true },
}

/** What a goal costs in answers: to learn from, and to measure. */
export const goalPrices = ({ prices }: Pick<Inspection, 'prices'>): GoalPrice[] =>
  prices.map(({ tolerance, learn, measure }) => ({
    tolerance,
    answers: learn + measure,
    about: `${learn} to learn from, about ${roughly(measure)} to measure`,
  }))

/** Answers to learn from, by the goal; the rest measure what was learned. */
export function budgetFor({ prices, rows }: Pick<Inspection, 'prices' | 'rows'>, goal: number | 'all'): number {
  if (goal === 'all') return rows
  return prices.find(({ tolerance }) => tolerance === goal)!.learn
}

/** Answers before the first model, and from one to the next: the page and the command begin alike. */
const first = 10

/** What one starts from: as proposed, and never more than there is. */
export function draftOf(inspection: Inspection, choices: Choices, strategy: string): Draft {
  const { classes, question, project, rows } = inspection
  const few = String(Math.max(1, Math.min(first, rows)))
  const goal = usualGoal(goalPrices(inspection), rows)
  return {
    choices,
    classes,
    goal,
    question,
    guidelines: '',
    strategy,
    project,
    batch: few,
    budget: String(budgetFor(inspection, goal)),
    start: few,
    loss: defaultLoss,
    l2: '',
    weighting: '',
    know: '',
    seed: '',
  }
}

export type Problems = Readonly<Partial<Record<Numeric | 'classes' | 'question' | 'project' | 'loss', string>>>

/** Everything that must be put right before a draw, by the field it belongs to. */
export function problemsOf(draft: Draft): Problems {
  const all = {
    classes: problemOfClasses(draft.classes),
    question: draft.question.trim() === '' ? fieldProblems.question : undefined,
    project: draft.project.trim() === '' ? fieldProblems.project : undefined,
    loss: problemOfLoss(draft),
    ...Object.fromEntries((Object.keys(limits) as Numeric[]).map((field) => [field, problemOfNumber(field, draft[field])])),
    ...(draft.strategy !== 'alis' &&
      draft.know.trim() !== '' && { know: `Strategy ${draft.strategy} has no such share. Leave it empty.` }),
  }
  return Object.fromEntries(Object.entries(all).filter(([, problem]) => problem !== undefined))
}

function problemOfLoss({ loss, classes }: Draft): string | undefined {
  if (loss === defaultLoss || classes.length <= 2) return undefined
  return `For ${classes.length} classes the loss must be ${defaultLoss}, got ${loss}. Choose ${defaultLoss}, or two classes.`
}

function problemOfNumber(field: Numeric, text: string): string | undefined {
  const { low, high, isWhole, isOptional } = limits[field]
  if (isOptional && text.trim() === '') return undefined
  const value = numberIn(text)
  const isRight = value >= low && value <= high && (!isWhole || Number.isSafeInteger(value))
  if (isRight) return undefined
  return `${rangeOf(field)} is required, got ${text.trim() === '' ? 'nothing' : `“${text.trim()}”`}.`
}

function rangeOf(field: Numeric): string {
  const { low, high, isWhole } = limits[field]
  if (field === 'l2') return 'A positive number'
  if (field === 'seed') return 'A whole number from 0 on'
  return `A ${isWhole ? 'whole ' : ''}number from ${low} to ${high.toLocaleString('en-US')}`
}

/** Also with commas between thousands, as numbers are shown here. */
function numberIn(text: string): number {
  const plain = text.trim().replace(/(?<=\d),(?=\d{3}\b)/g, '')
  return plain === '' ? Number.NaN : Number(plain)
}

/** A project given in full, rather than one to go on with. */
export type NewProject = Extract<Begin, { wishes: unknown }>

/** What is sent; only for a draft without problems. */
export function projectOf(draft: Draft, inspection: Inspection): NewProject {
  const { strategy, loss } = draft
  const given = (field: Numeric) => draft[field].trim() !== ''
  const number = (field: Numeric) => numberIn(draft[field])
  return {
    path: inspection.path,
    project: draft.project.trim(),
    wishes: wishesOf(draft.choices, inspection),
    classes: draft.classes.map(({ name, key }) => ({ name: name.trim(), key })),
    question: draft.question.trim(),
    guidelines: draft.guidelines,
    plan: { strategy, batch: number('batch'), budget: number('budget') },
    start: number('start'),
    ...(loss !== defaultLoss && { loss }),
    ...(given('l2') && { l2: number('l2') }),
    ...(given('weighting') && { weighting: number('weighting') }),
    ...(given('know') && { know: number('know') }),
    ...(given('seed') && { seed: number('seed') }),
  }
}
