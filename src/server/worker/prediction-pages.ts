import type { Reader } from '../../core/belief.ts'
import { requireInput } from '../../core/errors.ts'
import type { Model } from '../../core/model.ts'
import type { Engine } from '../../engines/engine.ts'
import type { PredictionPage, PredictionRow } from '../../protocol/data.ts'
import { predictionsIn } from '../../questions/frame.ts'
import type { AuditSubject } from '../../questions/subject.ts'
import { contentOf, type PointDisplay } from './point-view.ts'
import type { WorkerPool } from './worker-pool.ts'
import type { PredictionQuery } from './worker-protocol.ts'

interface Predictor {
  readonly engine: Engine
  readonly loss: Reader
  readonly display: PointDisplay
}

export type PredictionPages = (model: Model, query: PredictionQuery) => Promise<Pick<PredictionPage, 'rows' | 'found' | 'of'>>

export type AnsweredPages = (query: PredictionQuery) => ReturnType<PredictionPages>

interface Prediction {
  readonly id: string
  /** The answer of a person, or else the class that the model predicts. */
  readonly label: string
  readonly confidence: number
}

const mostSearched = 1_000_000 // a search waits until all points have been read

/** For a pool that is not in memory: each page reads it anew, and to its end only to search. */
export function streamedPages({ engine, loss, display }: Predictor): PredictionPages {
  return async (model, { answers, offset, limit, ...query }) => {
    const hidden = new Set(query.hidden)
    const search = query.search.trim().toLowerCase()
    requireInput(
      search === '' || engine.size <= mostSearched,
      `search: a pool of at most ${mostSearched} points is required, got ${engine.size}`,
      'Look for the point where the pool lies.',
    )
    const of = engine.size - hidden.size
    const page: Prediction[] = []
    let found = 0
    for await (const batch of engine.predictions(model, loss)) {
      for (const { id, label: place, probabilities } of batch) {
        const label = answers.get(id) ?? model.classes[place]!
        if (hidden.has(id) || !isMatch(id, label, search)) continue
        if (found >= offset && page.length < limit) page.push({ id, label, confidence: probabilities[place]! })
        found++
      }
      if (search === '' && page.length === limit) break
    }
    return { rows: await rowsOf(page, answers, engine, display), found: search === '' ? of : found, of }
  }
}

/** For a pool in memory, in the order of its file: the pool is read once for each model. `rows`: the row of each point in the file. */
export function predictionPages(
  { engine, loss, display }: Predictor,
  { ids, rows }: { readonly ids: readonly string[]; readonly rows: readonly number[] },
): PredictionPages {
  const inFile = rows.map((_, k) => k).sort((a, b) => rows[a]! - rows[b]!)
  let known: Awaited<ReturnType<typeof predict>> | undefined

  async function predict(model: Model) {
    const classes = new Int32Array(ids.length) // by position in the pool
    const confidences = new Float32Array(ids.length)
    let at = 0
    for await (const batch of engine.predictions(model, loss)) {
      for (const { label, probabilities } of batch) {
        classes[at] = label
        confidences[at++] = probabilities[label]!
      }
    }
    return { model: model.id, classes, confidences }
  }

  return async (model, { answers, offset, limit, ...query }) => {
    if (known?.model !== model.id) known = await predict(model)
    const { classes, confidences } = known
    const hidden = new Set(query.hidden)
    const search = query.search.trim().toLowerCase()
    const labelOf = (k: number) => answers.get(ids[k]!) ?? model.classes[classes[k]!]!
    const open = inFile.filter((k) => !hidden.has(ids[k]!))
    const found = search === '' ? open : open.filter((k) => isMatch(ids[k]!, labelOf(k), search))
    const page = found.slice(offset, offset + limit).map((k) => ({ id: ids[k]!, label: labelOf(k), confidence: confidences[k]! }))
    return { rows: await rowsOf(page, answers, engine, display), found: found.length, of: open.length }
  }
}

/** For an audit: what was predicted of the points that were answered, beside the answers. */
export function answeredPages(
  { pool, frame }: AuditSubject,
  contents: WorkerPool['contents'],
  display: PointDisplay,
): AnsweredPages {
  const predictedOf = predictionsIn(frame)
  return async ({ answers, offset, limit, ...query }) => {
    if (frame.classes.length === 0 || frame.models.length === 0) return { rows: [], found: 0, of: 0 }
    const search = query.search.trim().toLowerCase()
    const ids = [...answers.keys()]
    const codes = ids.length > 0 ? await pool.codesOf(ids) : []
    const rows = ids.map((id, k) => ({ id, prediction: predictedOf(codes[k]!), answer: answers.get(id)! }))
    const found =
      search === '' ? rows : rows.filter(({ id, prediction, answer }) => isMatch(id, `${prediction}\n${answer}`, search))
    const page = found.slice(offset, offset + limit)
    const shown = await contents(page.map(({ id }) => id))
    const listed = page.map(({ prediction, answer }, k): PredictionRow => {
      return { content: contentOf(shown[k]!, display), prediction, answer, source: 'model' }
    })
    return { rows: listed, found: found.length, of: rows.length }
  }
}

const isMatch = (id: string, label: string, search: string) => `${id}\n${label}`.toLowerCase().includes(search)

async function rowsOf(
  page: readonly Prediction[],
  answers: PredictionQuery['answers'],
  engine: Engine,
  display: PointDisplay,
): Promise<PredictionRow[]> {
  const contents = await engine.contents(page.map(({ id }) => id))
  return page.map(({ id, label, confidence }, k): PredictionRow => {
    const row = { content: contentOf(contents[k]!, display), prediction: label }
    const isAnswered = (answers.get(id) ?? null) !== null
    return isAnswered ? { ...row, source: 'person' } : { ...row, confidence, source: 'model' }
  })
}
