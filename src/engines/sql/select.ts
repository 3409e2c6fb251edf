import type { Formula, Term } from '../../core/formula.ts'
import type { Dialect } from './dialect.ts'

/** Formulas by the names their columns shall have. */
export type Named = Readonly<Record<string, Formula>>

/**
 * A query with the formulas as columns, beside those of `from` that are to be kept. A formula that is used more than once is
 * computed once, under a name, in a query inside: what is written grows with the formulas, not with the ways through them.
 */
export function selectFormulas(from: string, keep: readonly string[], formulas: Named, dialect: Dialect): string {
  const wanted = rewrittenFor(dialect, Object.entries(formulas))
  const stages = stagesOf(wanted.map(([, formula]) => formula))
  const names = new Map<Formula, string>()
  let inner = from
  for (const stage of stages) {
    const columns = stage.map((shared) => `${print(shared, names, dialect)} AS x${names.size + stage.indexOf(shared)}`)
    inner = `(SELECT *, ${columns.join(', ')} FROM ${inner})`
    for (const shared of stage) names.set(shared, `x${names.size}`)
  }
  const columns = wanted.map(([name, formula]) => `${print(formula, names, dialect)} AS ${dialect.name(name)}`)
  return `SELECT ${[...keep.map(dialect.name), ...columns].join(', ')} FROM ${inner}`
}

/** The terms that several others use, those first that need no other. */
function stagesOf(formulas: readonly Formula[]): Term[][] {
  const uses = new Map<Term, number>()
  const count = (formula: Formula): void => {
    if (!isTerm(formula)) return
    const before = uses.get(formula) ?? 0
    uses.set(formula, before + 1)
    if (before === 0) formula.of.forEach(count)
  }
  formulas.forEach(count)

  const stages: Term[][] = []
  const depths = new Map<Term, number>() // the first stage at which a term can be computed
  const depthOf = (formula: Formula): number => {
    if (!isTerm(formula)) return 0
    const known = depths.get(formula)
    if (known !== undefined) return known
    const own = Math.max(0, ...formula.of.map((part) => depthOf(part) + (isTerm(part) && uses.get(part)! > 1 ? 1 : 0)))
    depths.set(formula, own)
    if (uses.get(formula)! > 1) {
      while (stages.length <= own) stages.push([])
      stages[own]!.push(formula)
    }
    return own
  }
  formulas.forEach(depthOf)
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
