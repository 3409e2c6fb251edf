import { expect, it } from 'vitest'
import type { TableColumn } from '../../core/rows.ts'
import { labelStudioConfig, labelStudioTask, prodigyTask } from './other-tools.ts'

const column = (name: string, ...examples: string[]): TableColumn => ({
  name,
  kind: 'text',
  missing: 0,
  distinct: 9,
  meanLength: 9,
  examples,
})
const [body, picture] = [column('body', 'hello', 'x.png?'), column('scan', 'a/1.png', 'https://x.org/2.JPG?size=1')]
const said = { id: 'm1', label: 'spam', round: 2, order: 3, probability: 0.5, weight: 1.5, annotator: 'Ada', time: 'now' }
const predicted = { prediction: 'ham', confidence: 0.75, probabilities: [0.75, 0.25] }
const row = { id: 'm1', fields: { body: 'hello' }, predicted }
const choice = (label: string) => [
  { id: 'm1', from_name: 'label', to_name: 'content', type: 'choices', value: { choices: [label] } },
]
const prediction = { model_version: 'sha256:1', score: 0.75, result: choice('ham') }
const data = { body: 'hello', alis_id: 'm1' }

it('Label Studio gets an annotation where a person answered, and a prediction elsewhere', () => {
  expect(labelStudioTask(row, said, 'sha256:1')).toEqual({
    data,
    annotations: [{ result: choice('spam'), was_cancelled: false, created_at: 'now' }],
    predictions: [],
  })
  expect(labelStudioTask(row, undefined, 'sha256:1')).toEqual({ data, annotations: [], predictions: [prediction] })
  const { predicted: _, ...bare } = row
  expect(labelStudioTask(bare, undefined, undefined)).toEqual({ data, annotations: [], predictions: [] })
})

it('Label Studio gets "cannot tell" as skipped, with what the model says', () => {
  expect(labelStudioTask(row, { ...said, label: null, weight: null }, 'sha256:1')).toEqual({
    data,
    annotations: [{ result: [], was_cancelled: true, created_at: 'now' }],
    predictions: [prediction],
  })
})

it('the configuration for Label Studio shows texts and images, and quotes what people named', () => {
  expect(labelStudioConfig([body, picture], ['ham', 'spam & <"rot">'])).toBe(
    [
      '<View>',
      '  <Text name="content" value="$body"/>',
      '  <Image name="content-2" value="$scan"/>',
      '  <Choices name="label" toName="content" choice="single">',
      '    <Choice value="ham"/>',
      '    <Choice value="spam &amp; &lt;&quot;rot&quot;&gt;"/>',
      '  </Choices>',
      '</View>',
      '',
    ].join('\n'),
  )
})

it('Prodigy gets what was accepted, and ignores "cannot tell"', () => {
  const { label: _, ...meta } = said
  const task = prodigyTask(row, said, [body], ['ham', 'spam'])
  expect(task).toEqual({
    text: 'hello',
    options: ['ham', 'spam'].map((name) => ({ id: name, text: name })),
    accept: ['spam'],
    answer: 'accept',
    config: { choice_style: 'single' },
    _view_id: 'choice',
    meta,
  })
  expect(prodigyTask(row, { ...said, label: null }, [body], [])).toMatchObject({ accept: [], answer: 'ignore' })
})

it.each([
  ['one image as an image', [picture], { image: 'a/1.png' }],
  ['several columns as one text, without empty ones', [body, picture, column('note')], { text: 'body: hello\nscan: a/1.png' }],
])('Prodigy gets %s', (_, shown, content) => {
  const fields = { body: 'hello', scan: 'a/1.png', note: '' }
  expect(prodigyTask({ ...row, fields }, said, shown, [])).toMatchObject(content)
})
