import { requireInput } from '../core/errors.ts'
import { keptModel, type Model } from '../core/model.ts'
import type { KeptCertificate, ProjectEvent, SealedText } from './project.ts'
import { type Queries, query } from './sqlite-queries.ts'
import type { KeptModel } from './store.ts'

/** What a project knows beside the record of its run, in tables. */
export function factsOf({ add, all, first }: Queries) {
  return {
    remember(name: string, value: unknown, time: string): void {
      const json = JSON.stringify(value)
      requireInput(json !== undefined, `remember: ${name} must be something that JSON can hold, got ${typeof value}`)
      add(query.insertInto('facts').values({ name, value: json, time }))
    },
    recall<T>(name: string): T | undefined {
      const newest = first(query.selectFrom('facts').select('value').where('name', '=', name).orderBy('seq', 'desc').limit(1))
      return newest && JSON.parse(newest.value)
    },

    keepModel(model: Model, round: number, time: string): void {
      const { id } = model
      const known = query.selectFrom('models').select('seq').where('id', '=', id)
      if (!first(known)) add(query.insertInto('models').values({ id, round, json: JSON.stringify(model), time }))
    },
    models(): KeptModel[] {
      const rows = all(query.selectFrom('models').select(['json', 'round', 'time']).orderBy('seq'))
      return rows.map(({ json, ...when }) => ({ model: keptModel(JSON.parse(json)), ...when }))
    },
    model(id: string): Model | undefined {
      const kept = first(query.selectFrom('models').select('json').where('id', '=', id))
      return kept && keptModel(JSON.parse(kept.json))
    },

    keepCertificate({ seal, text }: SealedText, time: string): void {
      const known = query.selectFrom('certificates').select('seq').where('seal', '=', seal)
      if (!first(known)) add(query.insertInto('certificates').values({ seal, text, time }))
    },
    certificates: (): KeptCertificate[] => all(query.selectFrom('certificates').select(['seal', 'text', 'time']).orderBy('seq')),

    event(kind: string, detail: unknown, time: string): void {
      add(query.insertInto('events').values({ kind, detail: JSON.stringify(detail) ?? null, time }))
    },
    events(): ProjectEvent[] {
      const rows = all(query.selectFrom('events').select(['kind', 'detail', 'time']).orderBy('seq'))
      return rows.map(({ kind, detail, time }) => ({ kind, ...(detail !== null && { detail: JSON.parse(detail) }), time }))
    },
  }
}
