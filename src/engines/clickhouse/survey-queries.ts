import type * as f from '../../core/formula.ts'
import type { Model } from '../../core/model.ts'
import type { Stream } from '../../core/randomness.ts'
import type { Signal } from '../../core/signal.ts'
import type { SurveyRequest } from '../engine.ts'
import { requireWidth } from '../memory.ts'
import { widthOfAll } from '../sql/features.ts'
import { requireNarrow } from '../sql/forms.ts'
import {
  beliefOf,
  censusFormulas,
  censusFrom,
  massFormula,
  readingOf,
  requireFormula,
  scoreColumns,
  surveyFormulas,
  surveyFrom,
} from '../sql/question.ts'
import type { Named } from '../sql/select.ts'
import { clickhouseDialect } from './dialect.ts'
import { type Computed, rowsWith, valueAt } from './pass.ts'
import { pointsLeft, type Rows, type ScannedPool } from './points.ts'
import { numberIn } from './rows.ts'

export type Looking = ReturnType<typeof lookingAt>
/** A census of the points that may be drawn, and formulas for their masses. */
export type Looked = Awaited<ReturnType<Looking['look']>>

/** What a pass shall find out beside the survey. */
export interface More {
  readonly stream?: Stream
  formulas(mass: f.Formula): Named
  wanted(at: (name: string) => string): string[]
}

export const nothingMore: More = { formulas: () => ({}), wanted: () => [] }

/** Passes over the points that may still be drawn: each scores them where they lie, and brings back sums. */
export function lookingAt(pool: ScannedPool) {
  const { session, blocks, hash, checksum } = pool
  const points = pointsLeft(pool)
  const dialect = clickhouseDialect(session.abilities)
  const columns = widthOfAll(blocks)
  const place = { blocks, hash, checksum, dialect }

  /** The rows with everything computed that a pass needs of each. */
  function rows(computed: Computed): Rows {
    requireWidth(computed.model, columns)
    const hasForms = (computed.forms?.length ?? 0) > 0
    if (hasForms) requireNarrow(columns)
    return { from: rowsWith(session.table, computed, place), width: hasForms ? columns ** 2 : columns }
  }

  /** A census of the points that may be drawn, and what their masses are. */
  async function look(question: SurveyRequest, signal: Signal | undefined) {
    const { model, mass, controls, forms } = question
    const belief = beliefOf(question)
    const readings = controls.map((control) => readingOf(model, control))
    requireFormula(mass.express, mass.name)
    const { bin, ...values } = censusFormulas(belief, mass)
    const names = Object.keys(values)
    const answer = await points.counted(
      [`toInt32(${valueAt(0)}) AS bin`, ...names.map((_, k) => dialect.total(valueAt(k + 1)))],
      rows({ model, forms, formulas: { bin: bin!, ...values } }),
      ' GROUP BY bin ORDER BY bin',
      signal,
    )
    const census = censusFrom(
      answer.map((row) => ({
        bin: numberIn(row, 0),
        points: numberIn(row, 1 + names.length),
        totals: mass.parts.map((_, j) => (names.includes(`v${j}`) ? numberIn(row, 1 + names.indexOf(`v${j}`)) : null)),
      })),
      mass,
    )
    return { model, forms, census, belief, readings, mass: massFormula(belief, mass, census) }
  }

  /** One pass for the survey of a look, and for whatever else `more` asks of its masses and the formulas `extra`. */
  async function surveyed({ model, forms, census, belief, readings, mass }: Looked, more: More, signal: Signal | undefined) {
    const measured = surveyFormulas(belief, readings, mass)
    const own = Object.fromEntries(measured.map(({ of }, k) => [`m${k}`, of]))
    const extra = more.formulas(mass)
    const names = [...Object.keys(own), ...Object.keys(extra)]
    const totals = measured.map(({ by }, k) => (by === 'total' ? dialect.total(valueAt(k)) : `${by}(${valueAt(k)})`))
    const wanted = more.wanted((name) => valueAt(names.indexOf(name)))
    const computed = { model, forms, formulas: { ...own, ...extra }, ...(more.stream && { stream: more.stream }) }
    const [answer] = await points.counted([...totals, ...wanted], rows(computed), '', signal)
    const values = totals.map((_, k) => (census.points > 0 ? numberIn(answer!, k) : null))
    return { survey: surveyFrom(values, census), rest: answer!.slice(totals.length) }
  }

  return { pool, points, dialect, columns, rows, look, surveyed }
}

/** The scores of a point, by name. */
export const scoresIn = (model: Model): Named => Object.fromEntries(scoreColumns(model).map((score, k) => [`score${k}`, score]))
