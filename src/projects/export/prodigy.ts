import type { TableColumn } from '../../core/rows.ts'
import { isImage } from './images.ts'
import type { LabelRow } from './labels.ts'
import type { PoolRow } from './pool-rows.ts'

/**
 * An answered example as Prodigy's `choice` interface keeps it, for `prodigy db-in`: the class that was chosen under `accept`, "cannot
 * tell" as an example that was ignored.   @see https://prodi.gy/docs/api-interfaces#choice
 */
export function prodigyTask(
  { fields }: PoolRow,
  said: LabelRow,
  shown: readonly TableColumn[],
  classes: readonly string[],
): object {
  const { label, ...meta } = said
  return {
    ...contentOf(fields, shown),
    options: classes.map((name) => ({ id: name, text: name })),
    accept: label === null ? [] : [label],
    answer: label === null ? 'ignore' : 'accept',
    config: { choice_style: 'single' },
    _view_id: 'choice',
    meta,
  }
}

/** One text or one image as it is; anything else as a text of one line a column. */
function contentOf(fields: PoolRow['fields'], shown: readonly TableColumn[]): { text: string } | { image: string } {
  const [only, ...others] = shown
  if (only && others.length === 0) {
    const value = fields[only.name]!
    return isImage(only) ? { image: value } : { text: value }
  }
  const lines = shown.flatMap(({ name }) => (fields[name] === '' ? [] : [`${name}: ${fields[name]}`]))
  return { text: lines.join('\n') }
}
