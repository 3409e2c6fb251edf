import { cellOf, cellsOf, isJson, type Json, type ToolFormat, type ToolRecord, together } from './tool-record.ts'

/** Tasks of Label Studio: the data, what was annotated last under the name of each control, and what was predicted. */
const labelStudio: ToolFormat = {
  name: 'Label Studio',
  isOne: ({ data, annotations, predictions, completions }) =>
    isJson(data) && [annotations, predictions, completions].some((list) => Array.isArray(list)),
  row({ id, data, annotations, completions, predictions }) {
    const own: ToolRecord = { id: cellOf(id) }
    const shown = { ...own, ...cellsOf(data, own, 'data') }
    const annotated = listOf(annotations ?? completions).findLast(({ was_cancelled }) => was_cancelled !== true)
    const predicted = listOf(predictions).at(-1)
    const answers = { ...shown, ...cellsOf(valuesIn(annotated), shown, 'annotation') }
    const guesses = Object.entries(valuesIn(predicted)).map(([name, value]) => [`${name}.prediction`, value])
    return { ...answers, ...Object.fromEntries(guesses), ...(predicted && { 'prediction.score': cellOf(predicted.score) }) }
  },
}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : [])

/** What the controls say that choose, rate, count or are written in; regions of texts and pictures are left out. */
function valuesIn(annotation: Json | undefined): ToolRecord {
  const values = listOf(annotation?.result).flatMap(
    ({ from_name: name, value }): [string, string | number | boolean | null][] => {
      if (typeof name !== 'string' || !isJson(value) || 'start' in value || 'x' in value) return []
      const { choices, text, rating, number, taxonomy } = value
      if (Array.isArray(choices)) return [[name, together(choices)]]
      if (Array.isArray(taxonomy))
        return [[name, together(taxonomy.map((path) => (Array.isArray(path) ? path.join(' / ') : path)))]]
      if (Array.isArray(text)) return [[name, together(text)]]
      const said = rating ?? number ?? text
      return said === undefined ? [] : [[name, cellOf(said)]]
    },
  )
  return Object.fromEntries(values)
}

/** Examples of Prodigy: what was accepted among options, or a label and whether it was accepted. */
const prodigy: ToolFormat = {
  name: 'Prodigy',
  isOne: (record) => '_input_hash' in record && '_task_hash' in record,
  row({ id, _input_hash: input, _task_hash: task, options, accept, answer, meta, spans, tokens, html, ...rest }) {
    const shown = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('_')))
    const own: ToolRecord = { id: cellOf(id ?? task ?? input), ...cellsOf(shown, {}, 'data') }
    const accepted = Array.isArray(accept)
      ? { accept: answer === 'accept' || answer === undefined ? together(accept) : null }
      : {}
    const said = { ...own, ...accepted, answer: cellOf(answer) }
    return { ...said, ...cellsOf(meta, said, 'meta') }
  },
}

/** Records of Argilla: its fields, what was answered, and what was suggested. */
const argilla: ToolFormat = {
  name: 'Argilla',
  isOne: ({ fields, responses, suggestions }) => isJson(fields) && (isJson(responses) || isJson(suggestions)),
  row({ id, fields, metadata, responses, suggestions }) {
    const own: ToolRecord = { id: cellOf(id), ...cellsOf(fields, { id: null }, 'fields') }
    const answered = Object.entries(isJson(responses) ? responses : {}).map(([name, list]) => [name, lastValue(list)])
    const suggested = Object.entries(isJson(suggestions) ? suggestions : {}).flatMap(([name, one]) => {
      const { value, score } = isJson(one) ? one : { value: one, score: undefined }
      return [[`${name}.suggestion`, cellOf(value)], ...(score == null ? [] : [[`${name}.suggestion.score`, cellOf(score)]])]
    })
    const said = { ...own, ...cellsOf(Object.fromEntries(answered), own, 'responses'), ...Object.fromEntries(suggested) }
    return { ...said, ...cellsOf(metadata, said, 'metadata') }
  },
}

const lastValue = (responses: unknown) => cellOf(listOf(responses).findLast(({ status }) => status !== 'discarded')?.value)

/** Documents of doccano: a text, and one label or none. Labels that are places in the text are left as they are. */
const doccano: ToolFormat = {
  name: 'doccano',
  isOne: ({ text, data, label, labels, Comments }) =>
    typeof (text ?? data) === 'string' &&
    (Array.isArray(Comments) || label !== undefined) &&
    Array.isArray(label ?? labels) &&
    ((label ?? labels) as unknown[]).every((each) => typeof each === 'string'),
  row({ label, labels, Comments: _, ...rest }) {
    const given = label ?? labels
    return { ...cellsOf(rest, {}, 'data'), label: Array.isArray(given) ? together(given) : cellOf(given) }
  },
}

/** Tools for labelling whose files have an object for each thing that was labelled. */
export const annotationTools: readonly ToolFormat[] = [labelStudio, prodigy, argilla, doccano]
