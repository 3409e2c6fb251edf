import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { linearModel } from '../../core/model.ts'
import { recipeOf } from '../../features/recipe.ts'
import { modelFile, readModelFile } from './model-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-model-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'model.json')

const model = linearModel({
  loss: 'logistic',
  classes: ['ham', 'spam'],
  weights: [[0.5, -2]],
  intercepts: [0.25],
})
const part = { kind: 'number', column: 'size', mean: 3, scale: 0.5, indicator: true } as const
const recipe = recipeOf([part], 40)
const whole = JSON.parse(JSON.stringify(modelFile(model, recipe)))

const read = (content: unknown) => {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readModelFile(path)
}

it('reads back what was written, to the last bit', () => {
  expect(Object.keys(whole)).toEqual(['type', 'version', 'model', 'recipe', 'seal'])
  expect(read(whole)).toEqual(modelFile(model, recipe))
})

it.each<[string, unknown, string]>([
  ['other weights', { ...whole, model: { ...whole.model, weights: [[1.5, -2]] } }, 'content must match its id'],
  ['another recipe', { ...whole, recipe: { ...recipe, parts: [{ ...part, mean: 4 }] } }, 'content must match its seal'],
  ['another seal', { ...whole, seal: `${whole.seal}0` }, 'content must match its seal'],
  ['a later version', { ...whole, version: 2 }, 'version must be 1, got 2'],
  [
    'too few weights',
    modelFile(linearModel({ ...model, weights: [[1]] }), recipe),
    'a model of 2 features is required, those of its recipe, got 1',
  ],
  ['something else', { type: 'other' }, 'a model that alis export wrote is required, got something else'],
  ['what is no JSON', 'not JSON', 'a model that alis export wrote is required, got something else'],
])('refuses %s', (_, content, message) => {
  expect(() => read(content)).toThrow(message)
})

it('refuses a file that is not there', () => {
  expect(() => readModelFile(join(folder, 'missing.json'))).toThrow('a model to read is required, got no such file')
})
