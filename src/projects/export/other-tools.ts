import type { TableColumn } from '../../core/rows.ts'
import { isImage } from '../../features/guess-role.ts'
import { escapeHtml } from '../../text/html.ts'
import type { LabelRow } from './labels.ts'
import type { PoolRow } from './pool-rows.ts'

/** Names in the labelling configuration that results refer to. */
const control = 'label'
const subject = 'content'

/**
 * A task as Label Studio imports it: what a person said is an annotation ("cannot tell" a skipped one), what the model says of all other
 * points is a prediction with its score.   @see https://labelstud.io/guide/task_format
 */
export function labelStudioTask(
  { id, fields, predicted }: PoolRow,
  said: LabelRow | undefined,
  model: string | undefined,
): object {
  const data = { ...fields, alis_id: id }
  const predictions = predicted
    ? [{ model_version: model, score: predicted.confidence, result: [choice(id, predicted.prediction)] }]
    : []
  if (!said) return { data, annotations: [], predictions }
  const { label, time } = said
  if (label === null) return { data, annotations: [{ result: [], was_cancelled: true, created_at: time }], predictions }
  return { data, annotations: [{ result: [choice(id, label)], was_cancelled: false, created_at: time }], predictions: [] }
}

function choice(id: string, label: string): object {
  return { id, from_name: control, to_name: subject, type: 'choices', value: { choices: [label] } }
}

/** The labelling configuration that the tasks are made for: paste it into a new project before the import. */
export function labelStudioConfig(shown: readonly TableColumn[], classes: readonly string[]): string {
  const objects = shown.map((column, k) => {
    const tag = isImage(column) ? 'Image' : 'Text'
    return `  <${tag} name="${k === 0 ? subject : `${subject}-${k + 1}`}" value="${escapeHtml(`$${column.name}`)}"/>`
  })
  const choices = classes.map((name) => `    <Choice value="${escapeHtml(name)}"/>`)
  return [
    '<View>',
    ...objects,
    `  <Choices name="${control}" toName="${subject}" choice="single">`,
    ...choices,
    '  </Choices>',
    '</View>',
    '',
  ].join('\n')
}

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
