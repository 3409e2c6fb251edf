import { judgeMetrics, type Metric, metricNames, metrics, reportMetrics, usualMetrics } from '../../metrics/catalogue.ts'
import type { AuditWishes } from '../../protocol/audits.ts'
import type { Begin, Inspection, PredictionRole } from '../../protocol/start.ts'
import { type KeyedClass, keyed } from '../../text/class-keys.ts'
import { refusals } from '../text/asks.ts'
import { fieldProblems, fieldTitles } from '../text/fields.ts'
import { problemOfClasses } from './classes.ts'

export type AuditKind = Inspection['recognised']['kind']

/** What there is to find out, in the order in which it is shown. */
export type Ask = 'overall' | 'classes' | 'mixups' | 'where' | 'other' | 'best' | 'judge'

/** Numbers are kept as typed; empty: as usual. */
export interface AuditDraft {
  readonly kind: AuditKind
  readonly roles: Readonly<Record<string, PredictionRole>>
  /** Of verdicts: the one that means good. */
  readonly good: string
  readonly asks: ReadonlySet<Ask>
  /** Other metrics that are measured too. */
  readonly more: ReadonlySet<Metric>
  /** Answers people choose from. */
  readonly classes: readonly KeyedClass[]
  readonly question: string
  readonly guidelines: string
  readonly project: string
  /** How well the first thing is to be known; `own`: as said under Everything else. */
  readonly goal: number | 'all' | 'own'
  readonly numbers: Readonly<Record<AuditNumber, string>>
  readonly isTogether: boolean
  readonly isForAll: boolean
  readonly isUniform: boolean
}

export type AuditNumber = 'tolerance' | 'below' | 'budget' | 'within' | 'level' | 'batch' | 'seed' | 'least' | 'most'

/** The number fields: what they are called, and what they take. */
export const auditNumbers: Readonly<
  Record<AuditNumber, { readonly title: string; readonly low: number; readonly high: number; readonly isWhole?: true }>
> = {
  tolerance: { title: fieldTitles.tolerance, low: 0.0001, high: 1_000 },
  below: { title: fieldTitles.below, low: -1, high: 1 },
  budget: { title: fieldTitles.atMost, low: 1, high: 1_000_000_000, isWhole: true },
  within: { title: fieldTitles.within, low: 0.0001, high: 0.9999 },
  level: { title: fieldTitles.level, low: 0.5001, high: 0.999999 },
  batch: { title: fieldTitles.rounds, low: 1, high: 10_000, isWhole: true },
  seed: { title: fieldTitles.seed, low: 0, high: Number.MAX_SAFE_INTEGER, isWhole: true },
  least: { title: fieldTitles.least, low: -1e6, high: 1e6 },
  most: { title: fieldTitles.most, low: -1e6, high: 1e6 },
}

/** The columns with a role, in the order of the file. */
export const columnsWith = (draft: Pick<AuditDraft, 'roles'>, role: PredictionRole): string[] =>
  Object.keys(draft.roles).filter((name) => draft.roles[name] === role)

/** What one starts from: as recognised. */
export function auditDraftOf({ recognised, columns, question, project }: Inspection): AuditDraft {
  const { kind, roles, good = '' } = recognised
  const grade = columns.find(({ name }) => roles[name] === 'check')
  const [least, most] = /grades from (\S+) to (\S+?),/.exec(recognised.why)?.slice(1) ?? ['1', '5']
  const draft: AuditDraft = {
    kind,
    roles,
    good: good || (grade?.values[0]?.value ?? ''),
    asks: new Set(kind === 'predictions' ? ['overall', 'classes', 'mixups', 'where'] : ['overall', 'judge', 'where']),
    more: new Set(),
    classes: [],
    question: kind === 'predictions' ? question : 'Is this a good answer?',
    guidelines: '',
    project: project.replace(/\.alis$/, '-check.alis'),
    goal: 0.05,
    numbers: { tolerance: '', below: '', budget: '', within: '', level: '', batch: '', seed: '', least: least!, most: most! },
    isTogether: false,
    isForAll: false,
    isUniform: false,
  }
  return { ...draft, classes: keyed(answersIn(draft, columns)) }
}

/** Words that predictions name, or grades that can be given: what people may answer. */
export function answersIn(draft: Pick<AuditDraft, 'kind' | 'roles' | 'numbers'>, columns: Inspection['columns']): string[] {
  if (draft.kind === 'grades') {
    const [least, most] = [Math.ceil(Number(draft.numbers.least)), Math.floor(Number(draft.numbers.most))]
    return Array.from({ length: Math.max(0, Math.min(100, most - least + 1)) }, (_, k) => `${least + k}`)
  }
  const probabilities = columnsWith(draft, 'probability')
  if (probabilities.length > 0) return probabilities
  const predicted = [...columnsWith(draft, 'check'), ...columnsWith(draft, 'compare')]
  const values = columns.filter(({ name }) => predicted.includes(name)).flatMap((column) => column.values)
  return [...new Set(values.map(({ value }) => value))].sort((a, b) => (a < b ? -1 : 1))
}

/** The draft with another role for a column: one is checked, and one is its confidence. */
export function chooseRole(draft: AuditDraft, name: string, role: PredictionRole): AuditDraft {
  const single: readonly PredictionRole[] = ['check', 'confidence', 'id']
  const given = Object.fromEntries(
    Object.entries(draft.roles).map(([other, now]) => [other, now === role && single.includes(role) ? 'out' : now]),
  )
  return { ...draft, roles: { ...given, [name]: role } }
}

/** Why something cannot be found out of this file; undefined where it can. */
export function refusalOf(ask: Ask, draft: AuditDraft): string | undefined {
  const others = columnsWith(draft, 'compare').length
  const isRace = draft.asks.has('best') && others > 0 && draft.kind !== 'grades'
  if (ask === 'best') {
    if (draft.kind === 'grades') return refusals.grades
    return others === 0 ? refusals.oneColumn : undefined
  }
  if (isRace) return refusals.race
  if (ask === 'where') return columnsWith(draft, 'apart').length === 0 ? refusals.noGroups : undefined
  if (ask === 'judge' && draft.kind !== 'verdicts') return refusals.noVerdicts
  if (draft.kind === 'grades') return ask === 'overall' ? undefined : refusals.noClasses
  if (ask === 'other') return others === 0 ? refusals.oneColumn : undefined
  return undefined
}

/** What is asked for in fact. */
export const isAsked = (ask: Ask, draft: AuditDraft): boolean => refusalOf(ask, draft) === undefined && draft.asks.has(ask)

const usual: readonly Metric[] = [...Object.values(usualMetrics), ...reportMetrics.ofClass, reportMetrics.ofCell]

/** Metrics that can be asked for beside the usual ones. */
export const moreMetrics: readonly Metric[] = metricNames.filter((name) => !usual.includes(name))

/** As the command would be told it. `points`: all there are. */
export function wishesOf(draft: AuditDraft, points: number): AuditWishes {
  const { kind, numbers, good } = draft
  const number = (field: AuditNumber) => (numbers[field].trim() === '' ? undefined : Number(numbers[field]))
  const [check] = columnsWith(draft, 'check')
  const [id] = columnsWith(draft, 'id')
  const show = columnsWith(draft, 'read')
  const shared = {
    ...(id !== undefined && { id }),
    ...(show.length > 0 && { show }),
    ...present({ level: number('level'), batch: number('batch') }),
  }
  if (isAsked('best', draft)) {
    const models = [...(check === undefined ? [] : [check]), ...columnsWith(draft, 'compare')]
    const budget = number('budget') ?? Math.max(1, Math.min(points, 2_000))
    return { ...shared, models, budget, ...present({ within: number('within') }) }
  }
  const by = isAsked('where', draft) ? columnsWith(draft, 'apart') : []
  const common = {
    ...shared,
    ...goalOf(draft, points),
    ...(by.length > 0 && { by }),
    ...(draft.isTogether && { together: true }),
    ...(draft.isUniform && { strategy: 'uniform' as const }),
  }
  if (kind === 'grades') return { ...common, ...present({ score: check }), range: [Number(numbers.least), Number(numbers.most)] }
  const metric = metricsOf(draft)
  const own = { ...common, ...columnsOfPredictions(draft), ...(by.length > 0 && { sliced: metric.slice(0, 1) }) }
  const classes = metric.some((name) => metrics[name].needs === 'class' || metrics[name].needs === 'two classes')
  const about = classes ? (kind === 'verdicts' ? { positive: good } : { eachClass: true }) : {}
  const [against] = isAsked('other', draft) ? columnsWith(draft, 'compare') : []
  return against === undefined ? { ...own, ...about, metric } : { ...own, ...about, alone: metric, against }
}

function columnsOfPredictions(draft: AuditDraft): AuditWishes {
  const [check] = columnsWith(draft, 'check')
  const [confidence] = columnsWith(draft, 'confidence')
  const probabilities = columnsWith(draft, 'probability')
  return {
    ...present({ prediction: check }),
    ...(probabilities.length > 0 ? { probabilities } : present({ confidence })),
  }
}

/** The first is what a goal is about. */
function metricsOf(draft: AuditDraft): Metric[] {
  const asked: Metric[] =
    draft.kind === 'verdicts'
      ? judgeMetrics.slice(0, isAsked('judge', draft) ? undefined : 1)
      : [
          usualMetrics.ofOne,
          ...(isAsked('classes', draft) ? reportMetrics.ofClass : []),
          ...(isAsked('mixups', draft) ? [reportMetrics.ofCell] : []),
        ]
  return [...new Set([...asked, ...draft.more])]
}

function goalOf(draft: AuditDraft, points: number): AuditWishes {
  const { goal, numbers, isForAll, kind } = draft
  const first = isForAll ? {} : { first: true as const }
  const number = (field: AuditNumber) => (numbers[field].trim() === '' ? undefined : Number(numbers[field]))
  if (goal === 'own')
    return { ...present({ tolerance: number('tolerance'), below: number('below'), budget: number('budget') }), ...first }
  if (goal === 'all') return { budget: points, ...first }
  const span = kind === 'grades' ? Number(numbers.most) - Number(numbers.least) : 1
  return { tolerance: goal * span, ...present({ budget: number('budget') }), ...first }
}

/** Without what is undefined. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

export type AuditProblems = Readonly<Partial<Record<AuditNumber | 'classes' | 'question' | 'project' | 'columns', string>>>

/** Everything that must be put right before a draw, by the field it belongs to. */
export function auditProblems(draft: AuditDraft): AuditProblems {
  const isRace = isAsked('best', draft)
  const predicts = columnsWith(draft, 'check').length + columnsWith(draft, 'probability').length > 0
  const { tolerance, below, budget } = draft.numbers
  const isOpen = draft.goal === 'own' && !isRace && [tolerance, below, budget].every((text) => text.trim() === '')
  const all = {
    classes: problemOfClasses(draft.classes),
    question: draft.question.trim() === '' ? fieldProblems.question : undefined,
    project: draft.project.trim() === '' ? fieldProblems.project : undefined,
    columns: predicts
      ? columnsWith(draft, 'read').length === 0
        ? fieldProblems.nothingRead
        : undefined
      : fieldProblems.nothingChecked,
    ...Object.fromEntries(
      (Object.keys(auditNumbers) as AuditNumber[]).map((name) => [name, problemOfNumber(name, draft.numbers[name])]),
    ),
    ...(isOpen && { tolerance: fieldProblems.open }),
    ...(below.trim() !== '' && tolerance.trim() !== '' && draft.goal === 'own' && { below: fieldProblems.both }),
  }
  return Object.fromEntries(Object.entries(all).filter(([, problem]) => problem !== undefined))
}

function problemOfNumber(field: AuditNumber, text: string): string | undefined {
  if (text.trim() === '') return field === 'least' || field === 'most' ? fieldProblems.number : undefined
  const { low, high, isWhole } = auditNumbers[field]
  const value = Number(text)
  const isRight = value >= low && value <= high && (!isWhole || Number.isSafeInteger(value))
  return isRight
    ? undefined
    : `A ${isWhole ? 'whole ' : ''}number from ${low} to ${high.toLocaleString('en-US')} is required, got “${text.trim()}”.`
}

/** What is sent; only for a draft without problems. */
export function auditOf(draft: AuditDraft, { path, rows }: Pick<Inspection, 'path' | 'rows'>): Begin {
  const { classes, question, guidelines, project, numbers } = draft
  return {
    path,
    project: project.trim(),
    audit: wishesOf(draft, rows),
    classes: classes.map(({ name, key }) => ({ name: name.trim(), key })),
    question: question.trim(),
    guidelines,
    ...(numbers.seed.trim() !== '' && { seed: Number(numbers.seed) }),
  }
}
