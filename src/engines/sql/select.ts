import type { Formula, Term } from '../../core/formula.ts'
import type { Dialect } from './dialect.ts'

/** Formulas by the names their columns shall have. */
export type Named = Readonly<Record<string, Formula>>

/** Formulas as SQL: what is used more than once first, stage by stage, under names that later stages and the columns use. */
export interface Staged {
  /** By name; those of one stage need nothing but the stages before. */
  readonly stages: readonly (readonly Written[])[]
  readonly columns: readonly Written[]
}

export interface Written {
  readonly name: string
  readonly sql: string
}

/** A formula that is used more than once is computed once, under a name: what is written grows with the formulas, not with the ways through them. */
export function stagedFormulas(formulas: Named, dialect: Dialect): Staged {
  const wanted = rewrittenFor(dialect, Object.entries(formulas))
  const names = new Map<Formula, string>()
  const stages = stagesOf(
    wanted.map(([, formula]) => formula),
    dialect.writtenOut ?? 0,
  ).map((stage) => {
    const written = stage.map((shared, k) => ({ name: `x${names.size + k}`, sql: print(shared, names, dialect) }))
    for (const [k, shared] of stage.entries()) names.set(shared, written[k]!.name)
    return written
  })
  return { stages, columns: wanted.map(([name, formula]) => ({ name, sql: print(formula, names, dialect) })) }
}

/** A query with the formulas as columns, beside those of `from` that are to be kept; every stage is a query inside. */
export function selectFormulas(from: string, keep: readonly string[], formulas: Named, dialect: Dialect): string {
  const { stages, columns } = stagedFormulas(formulas, dialect)
  const named = ({ name, sql }: Written) => `${sql} AS ${dialect.name(name)}`
  const inner = stages.reduce((before, stage) => `(SELECT *, ${stage.map(named).join(', ')} FROM ${before})`, from)
  return `SELECT ${[...keep.map(dialect.name), ...columns.map(named)].join(', ')} FROM ${inner}`
}

/** The terms that several others use and that are too long to be written out again, those first that need no other. */
function stagesOf(formulas: readonly Formula[], writtenOut: number): Term[][] {
  const uses = new Map<Term, number>()
  const count = (formula: Formula): void => {
    if (!isTerm(formula)) return
    const before = uses.get(formula) ?? 0
    uses.set(formula, before + 1)
    if (before === 0) formula.of.forEach(count)
  }
  formulas.forEach(count)

  const stages: Term[][] = []
  const known = new Map<Term, { readonly length: number; readonly depth: number }>()
  /** How long a term is where it is used, and the first stage at which it can be computed. */
  const measure = (formula: Formula): { readonly length: number; readonly depth: number } => {
    if (!isTerm(formula)) return { length: 1, depth: 0 }
    const before = known.get(formula)
    if (before) return before
    const parts = formula.of.map(measure)
    const length = 1 + parts.reduce((sum, part) => sum + part.length, 0)
    const depth = Math.max(0, ...parts.map((part) => part.depth))
    const isNamed = uses.get(formula)! > 1 && length > writtenOut
    if (isNamed) {
      while (stages.length <= depth) stages.push([])
      stages[depth]!.push(formula)
    }
    const own = isNamed ? { length: 1, depth: depth + 1 } : { length, depth }
    known.set(formula, own)
    return own
  }
  formulas.forEach(measure)
  return stages
}

function print(formula: Formula, names: ReadonlyMap<Formula, string>, dialect: Dialect): string {
  if (typeof formula === 'number') return dialect.number(formula)
  if ('column' in formula) return dialect.name(formula.column)
  const name = names.get(formula)
  if (name !== undefined) return name
  const of = formula.of.map((part) => print(part, names, dialect))
  if (formula.operation === 'entry') return dialect.entry(Array.from(formula.table!, dialect.number), of[0]!)
  const write = dialect.operations[formula.operation]
  if (!write) throw new Error(`${formula.operation}: the dialect has no such operation`)
  return write(...of)
}

/** The formulas in operations that the dialect has; those that say the same become one object. */
function rewrittenFor({ rewrites }: Dialect, formulas: readonly (readonly [string, Formula])[]): [string, Formula][] {
  const known = new Map<Formula, Formula>()
  const same = sameness()
  const rewritten = (formula: Formula): Formula => {
    if (!isTerm(formula)) return same(formula)
    const before = known.get(formula)
    if (before !== undefined) return before
    const of = formula.of.map(rewritten)
    const other = rewrites[formula.operation]?.(...of)
    const after = other === undefined ? same({ ...formula, of }) : rewritten(other)
    known.set(formula, after)
    return after
  }
  return formulas.map(([name, formula]) => [name, rewritten(formula)])
}

/** Gives one object for all formulas that say the same, given that their parts are such objects already. */
function sameness(): (formula: Formula) => Formula {
  const first = new Map<string, Formula>()
  const numbers = new Map<unknown, number>()
  const numberOf = (part: unknown) => numbers.get(part) ?? numbers.set(part, numbers.size).size - 1
  return (formula) => {
    const key = isTerm(formula)
      ? [formula.operation, formula.table && numberOf(formula.table), ...formula.of.map(numberOf)].join()
      : JSON.stringify(formula)
    const before = first.get(key)
    if (before === undefined) first.set(key, formula)
    return before ?? formula
  }
}

const isTerm = (formula: Formula): formula is Term => typeof formula === 'object' && 'operation' in formula
