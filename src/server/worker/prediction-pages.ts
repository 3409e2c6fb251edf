import type { Reader } from '../../core/belief.ts'
import { requireInput } from '../../core/errors.ts'
import type { Model } from '../../core/model.ts'
import type { Engine } from '../../engines/engine.ts'
import type { PredictionPage, PredictionRow } from '../../protocol/data.ts'
import { contentOf, type Shown } from './point-view.ts'
import type { PredictionQuery } from './worker-protocol.ts'

interface Pool {
  readonly engine: Engine
  readonly ids: readonly string[]
  /** Where each point stands in its file: the order people know. */
  readonly rows: readonly number[]
  readonly loss: Reader
  readonly shown: Shown
}

/** Answers what is asked of the predictions of a model. */
export type PredictionPages = (model: Model, query: PredictionQuery) => Promise<Omit<PredictionPage, 'hidden' | 'after'>>

interface Predicted {
  readonly model: Model
  /** By position in the pool. */
  readonly classes: Int32Array
  readonly confidences: Float32Array
}

/** Whoever searches waits until all points have been looked at. */
const mostSearched = 1_000_000

/** The same for a pool that is not in memory: gone through anew for each page, and to its end only where somebody searches. */
export function streamedPages({ engine, loss, shown }: Pick<Pool, 'engine' | 'loss' | 'shown'>): PredictionPages {
  return async (model, { search, offset, limit, said, hidden: hide }) => {
    const hidden = new Set(hide)
    const wanted = search.trim().toLowerCase()
    requireInput(
      wanted === '' || engine.size <= mostSearched,
      `search: a pool of at most ${mostSearched} points is required, got ${engine.size}`,
      'Look for the point where the pool lies.',
    )
    const of = engine.size - hidden.size
    const page: { id: string; label: string; confidence: number }[] = []
    let found = 0
    for await (const batch of engine.predictions(model, loss)) {
      for (const { id, label: place, probabilities } of batch) {
        const label = said.get(id) ?? model.classes[place]!
        if (hidden.has(id) || !`${id}\n${label}`.toLowerCase().includes(wanted)) continue
        if (found >= offset && page.length < limit) page.push({ id, label, confidence: probabilities[place]! })
        found++
      }
      if (wanted === '' && page.length === limit) break
    }
    const contents = await engine.contents(page.map(({ id }) => id))
    const rows = page.map(({ id, label, confidence }, j): PredictionRow => {
      const content = contentOf(contents[j]!, shown)
      const isSaid = (said.get(id) ?? null) !== null
      return { content, prediction: label, ...(isSaid ? { source: 'person' } : { confidence, source: 'model' }) }
    })
    return { rows, found: wanted === '' ? of : found, of }
  }
}

/** What the newest model says of the pool, a page at a time. The pool is gone through once for each model. */
export function predictionPages({ engine, ids, rows, loss, shown }: Pool): PredictionPages {
  const inFile = rows.map((_, k) => k).sort((a, b) => rows[a]! - rows[b]!)
  let known: Predicted | undefined

  async function predict(model: Model): Promise<Predicted> {
    const classes = new Int32Array(ids.length)
    const confidences = new Float32Array(ids.length)
    let at = 0
    for await (const batch of engine.predictions(model, loss)) {
      for (const { label, probabilities } of batch) {
        classes[at] = label
        confidences[at++] = probabilities[label]!
      }
    }
    return { model, classes, confidences }
  }

  return async (model, query) => {
    if (known?.model.id !== model.id) known = await predict(model)
    const { classes, confidences } = known
    const hidden = new Set(query.hidden)
    const wanted = query.search.trim().toLowerCase()
    const saidOf = (k: number) => query.said.get(ids[k]!) ?? null
    const labelOf = (k: number) => saidOf(k) ?? model.classes[classes[k]!]!
    const open = inFile.filter((k) => !hidden.has(ids[k]!))
    const found = wanted === '' ? open : open.filter((k) => `${ids[k]}\n${labelOf(k)}`.toLowerCase().includes(wanted))
    const page = found.slice(query.offset, query.offset + query.limit)
    const contents = await engine.contents(page.map((k) => ids[k]!))
    const listed = page.map((k, j): PredictionRow => {
      const content = contentOf(contents[j]!, shown)
      const said = saidOf(k)
      if (said !== null) return { content, prediction: said, source: 'person' }
      return { content, prediction: model.classes[classes[k]!]!, confidence: confidences[k]!, source: 'model' }
    })
    return { rows: listed, found: found.length, of: open.length }
  }
}
