import { requireInput } from '../../core/errors.ts'
import { type Model, scoresPerPoint } from '../../core/model.ts'
import type { Signal } from '../../core/signal.ts'
import { blockName, type FeatureBlock, widthOfAll } from '../sql/features.ts'
import { requireNarrow } from '../sql/forms.ts'
import { formName, scoreName } from '../sql/question.ts'
import type { WorkingDatabase } from './database.ts'
import { duckdbDialect as dialect } from './dialect.ts'
import { stretches } from './row-ranges.ts'
import { blockRows, scoresOf } from './scores.ts'

/** A pool that DuckDB can read: a query, and what is to be read off each of its rows. */
export interface DuckdbPool {
  /** What to select from: one row a point, in the same order every time. */
  readonly from: string
  /** The id of a point, as text. */
  readonly id: string
  /** Where a row is in its file, if that finds it faster than its id: Parquet skips what has no such row. */
  readonly line?: string | undefined
  readonly blocks: readonly FeatureBlock[]
  /** What people see of a point, as text or NULL, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** To be run before anything is read: what attaches a database. */
  readonly setup?: readonly string[]
}

/** Models whose scores are kept: several engines may be at work, each with its own. More, while somebody works with them. */
const mostKept = 3

interface Kept {
  readonly table: string
  readonly ready: Promise<ScoredPoints>
  /** How many work with it. */
  users: number
}

/** More points than that are nearly everywhere. */
const mostPlaces = 1000

/**
 * What is kept of the pool while it is worked on, on disk: the id of each point and its hash, and the scores of all points by the
 * latest models, in the same order. So the pool itself is read once for each model, whatever is asked of it then, by however many engines.
 */
export interface WorkingPoints {
  readonly size: number
  /** Does some work with the scores of a model, which stay until it is done. */
  withScores<T>(scored: Scored, work: (points: ScoredPoints) => Promise<T>): Promise<T>
  /** The same for whoever cannot say beforehand when it is done: `leave` is to be called then. */
  scores(scored: Scored): Promise<ScoredPoints & { leave(): Promise<void> }>
  /** Where some points are. Refuses ids that no point has. */
  placesOf(ids: readonly string[]): Promise<Place[]>
  /** Remembers a point that was come across, so that nobody need look for it. */
  remember(id: string, place: Place): void
  /** The condition that a row of the pool is one of some points, whose ids are $1. */
  isOneOf(ids: readonly string[]): Promise<string>
}

/** What points are scored by. */
export interface Scored {
  readonly model: Model
  readonly forms?: readonly Float64Array[] | undefined
  readonly signal?: Signal | undefined
}

export interface Place {
  /** Among all points, from 0. */
  readonly row: number
  /** In its file. */
  readonly line: number
}

/** All points with their scores (and forms), to select from: `r` is the row of a point, `h` the hash of its `id`. */
export interface ScoredPoints {
  /** In so many stretches `g` at most.   @see duckdb-stretches.ts */
  inStretches(most: number): string
  /** Those whose rows are in a table or query, where they are few. */
  among(rows: string): string
}

/** Points whose ids have been hashed and compared. */
export interface HashedPoints {
  readonly size: number
  /** Points that have been found once: nobody need look for them again. */
  readonly known: Map<string, Place>
}

export async function hashedPoints(database: WorkingDatabase, { from, id, line = '0' }: DuckdbPool): Promise<HashedPoints> {
  // MD5 costs as much as reading the point, so it is computed once. These 64 bits are md5_number_upper, which takes five times as long.
  const hash = `(md5_number(${id}) & 18446744073709551615::UHUGEINT)::UBIGINT`
  const columns = [`${id} AS id`, `${hash} AS h`, `${line}::BIGINT AS line`]
  await database.rows(`CREATE TABLE points AS SELECT ${columns} FROM ${from}`, { step: 'hashing ids' })
  return { size: await requireUnique(database), known: new Map() }
}

export function workingPoints(database: WorkingDatabase, { size, known }: HashedPoints, pool: DuckdbPool): WorkingPoints {
  const { from, blocks } = pool
  const width = widthOfAll(blocks)
  const kept = new Map<string, Kept>() // the oldest first

  async function placesOf(ids: readonly string[]): Promise<Place[]> {
    const open = [...new Set(ids)].filter((one) => !known.has(one))
    if (open.length > 0) {
      const found = await database.rows('SELECT id, rowid, line FROM points WHERE id IN (SELECT unnest($1))', { ids: open })
      for (const [one, row, line] of found) known.set(String(one), { row: Number(row), line: Number(line) })
    }
    return ids.map((one) => {
      const place = known.get(one)
      requireInput(place !== undefined, `pool: a point named ${JSON.stringify(one)} is required, got none`)
      return place
    })
  }

  async function score(
    table: string,
    model: Model,
    forms: readonly Float64Array[],
    signal: Signal | undefined,
  ): Promise<ScoredPoints> {
    requireWidths(model, width, forms)
    const scores = scoresOf(model, blocks).map((score, k) => `${score} AS ${scoreName(k)}`)
    const quadratics = forms.map((form, k) => `${quadraticOf(form, width + 1)} AS ${formName(k)}`)
    const x = forms.length > 0 ? `, ${listOf(blocks)} AS x` : ''
    const rows = `(SELECT *${x} FROM ${blockRows(from, blocks)})`
    await database.rows(`CREATE TABLE ${table} AS SELECT ${[...scores, ...quadratics]} FROM ${rows}`, { step: 'scoring', signal })
    const [count] = (await database.rows(`SELECT count(*) FROM ${table}`))[0]!
    requireInput(Number(count) === size, `pool: must stay as it is while open, got ${count} points for ${size}`)
    const few = (name: string, rows: string) => `(SELECT rowid AS r, * FROM ${name} WHERE rowid IN (SELECT r FROM ${rows}))`
    return {
      inStretches: (most) => stretches({ size, tables: ['points', table], most }),
      among: (rows) => `(SELECT * FROM ${few('points', rows)} JOIN ${few(table, rows)} USING (r))`,
    }
  }

  /** The scores of a model, made if they are not there; from now on they are the latest. */
  function keptFor({ model, forms = [], signal }: Scored): Kept {
    const key = JSON.stringify([model.id, scoresPerPoint(model), ...forms.map((form) => Array.from(form))])
    const known = kept.get(key)
    const table = known?.table ?? database.newName('scores')
    const own = known ?? { table, ready: score(table, model, forms, signal), users: 0 }
    if (!known) own.ready.catch(() => kept.get(key) === own && kept.delete(key)) // asked again, it is tried again
    kept.delete(key)
    kept.set(key, own)
    return own
  }

  /** Forgets the oldest scores that nobody works with, if they are too many. */
  async function forgetSome(): Promise<void> {
    for (const [key, own] of [...kept]) {
      if (kept.size <= mostKept) return
      if (own.users > 0 || kept.get(key) !== own) continue // somebody works with it, or has forgotten it meanwhile
      kept.delete(key)
      await database.rows(`DROP TABLE IF EXISTS ${own.table}`).catch(() => {}) // then it goes with the database
    }
  }

  async function scores(scored: Scored) {
    const own = keptFor(scored)
    own.users++
    const leave = async () => {
      own.users--
      await forgetSome()
    }
    try {
      return { ...(await own.ready), leave }
    } catch (error) {
      await leave()
      throw error
    }
  }

  return {
    size,
    scores,
    async withScores(scored, work) {
      const { leave, ...points } = await scores(scored)
      try {
        return await work(points)
      } finally {
        await leave()
      }
    },
    placesOf,
    remember: (one, place) => void known.set(one, place),
    async isOneOf(ids) {
      const isOne = `${pool.id} IN (SELECT unnest($1))`
      const places = await placesOf(ids)
      if (pool.line === undefined || places.length > mostPlaces) return isOne
      return `${isOne} AND ${pool.line} IN (${places.map(({ line }) => line)})` // written out: only then it is known before reading
    },
  }
}

function requireWidths(model: Model, width: number, forms: readonly Float64Array[]): void {
  const needed = model.kind === 'linear' ? model.weights[0]?.length : model.columns
  requireInput(needed === width, `model: ${width} weights are required, one for each feature of the pool, got ${needed}`)
  if (forms.length > 0) requireNarrow(width)
}

/** Counts the points, whose ids must be there and differ. */
async function requireUnique(database: WorkingDatabase): Promise<number> {
  const ask = async (sql: string) => (await database.rows(`SELECT ${sql} FROM points`, { step: 'comparing ids' }))[0]!.map(Number)
  const [points = 0, missing = 0, hashes = 0] = await ask("count(*), count(*) FILTER (id IS NULL OR id = ''), count(DISTINCT h)")
  requireInput(points > 0, 'pool: at least one point is required, got none')
  requireInput(missing === 0, `pool: every point needs an id, got ${missing} without one`, 'Choose another column with --id.')
  // Where all hashes differ, so do the ids; numbers take less room to compare than texts.
  const [distinct = 0] = hashes === points ? [points] : await ask('count(DISTINCT id)')
  requireInput(
    distinct === points,
    `pool: ids must be unique, got ${points - distinct} repeated`,
    'Choose another column with --id.',
  )
  return points
}

/** x·Mx of a list x. */
function quadraticOf(form: Float64Array, width: number): string {
  const rows = Array.from({ length: width }, (_, i) => {
    const row = Array.from(form.subarray(i * width, (i + 1) * width), dialect.number)
    return `list_dot_product(x, [${row}])`
  })
  return `list_dot_product(x, [${rows}])`
}

/** The features of a point and a 1, as one list of doubles. */
export function listOf(blocks: readonly FeatureBlock[]): string {
  const lists = blocks.map((block, k) => {
    const name = blockName(k)
    if (block.kind === 'number') return `[${name}]`
    if (block.kind === 'category') return `list_transform(range(${block.width}), lambda j: (j = ${name})::INTEGER::DOUBLE)`
    const { means, scale } = block
    const centred = `(${name}[j + 1]::DOUBLE - ([${means.map(dialect.number)}])[j + 1]) * ${dialect.number(scale)}`
    return `list_transform(range(${means.length}), lambda j: coalesce(${centred}, 0)::FLOAT::DOUBLE)`
  })
  return `list_concat(${[...lists, '[1e0]']})`
}
