import { AlisError, requireInput } from '../core/errors.ts'
import type { ColumnModel, Model } from '../core/model.ts'
import type { Engine } from './engine.ts'

/** Columns of scores as they were at one moment: the model that they are, and engines over all points that have these scores. */
export interface ScoreSnapshot {
  readonly model: ColumnModel
  readonly size: number
  /** What identifies the points, whatever is said of them. */
  readonly points: string
  engine(): Engine
  close(): Promise<void>
}

/** A pool whose scores somebody else refreshes. */
export interface ScoredPool {
  readonly size: number
  /** What identifies its points. */
  readonly hash: string
  /** Looks at the columns anew: what is there now is the model from now on, for every engine. */
  look(): Promise<ColumnModel>
  engine(): Engine
  close(): Promise<void>
}

/** `see`: looks at the columns; gives the latest look again if nothing has changed since. */
export async function scoredPool(see: (latest?: ScoreSnapshot) => Promise<ScoreSnapshot>): Promise<ScoredPool> {
  let latest = await see()
  let before: ScoreSnapshot | undefined // somebody may still be at work with it
  const { points, size } = latest

  async function look(): Promise<ColumnModel> {
    const now = await see(latest)
    if (now === latest) return now.model
    if (now.points !== points) await now.close()
    requireInput(
      now.points === points,
      'scores: the points must be those that were there when the pool was opened, got others',
      'Refresh the scores of all points, and keep their ids. Other points are another project.',
    )
    await before?.close()
    before = latest
    latest = now
    return now.model
  }

  return {
    size,
    hash: points,
    look,
    engine: () => engineOver(() => latest),
    async close() {
      await before?.close()
      await latest.close()
    },
  }
}

/** An engine that goes along with the looks: each has one of its own, which is told what was taken before. */
function engineOver(latest: () => ScoreSnapshot): Engine {
  const taken = new Set<string>()
  let look = latest()
  let own = look.engine()
  let ready = Promise.resolve()

  const current = async (): Promise<Engine> => {
    if (look !== latest()) {
      look = latest()
      own = look.engine()
      ready = own.take([...taken])
    }
    await ready
    return own
  }
  const speakingOf = async (model: Model): Promise<Engine> => {
    const engine = await current()
    if (model.id === look.model.id) return engine
    throw new AlisError(
      'bad-input',
      `scores: the columns must hold the model ${model.id.slice(0, 19)}…, got ${look.model.id.slice(0, 19)}…`,
      'They were refreshed since. Numbers about one model cannot be had from the scores of another.',
    )
  }

  const { name, size, columns } = own
  return {
    name,
    size,
    columns,
    survey: async (question, signal) => (await speakingOf(question.model)).survey(question, signal),
    moment: async (question, weight, signal) => (await speakingOf(question.model)).moment(question, weight, signal),
    profile: async (model, lens, signal) => (await speakingOf(model)).profile(model, lens, signal),
    draw: async (request, signal) => (await speakingOf(request.model)).draw(request, signal),
    async take(ids) {
      await (await current()).take(ids)
      for (const id of ids) taken.add(id)
    },
    features: async (ids) => (await current()).features(ids),
    contents: async (ids) => (await current()).contents(ids),
    async *predictions(model, loss) {
      yield* (await speakingOf(model)).predictions(model, loss)
    },
    async close() {}, // whoever opened the pool closes it
  }
}
