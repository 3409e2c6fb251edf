import { readFileSync } from 'node:fs'
import { AlisError, requireInput } from '../../core/errors.ts'
import { identityOf } from '../../core/hash.ts'
import { type LearnedModel, modelFromJson, widthOf } from '../../core/model.ts'
import { type Recipe, requireRecipe } from '../../features/recipe.ts'

/** A model and how rows become its features: all that is needed to predict. */
export interface ModelFile {
  readonly type: 'alis-model'
  readonly version: 1
  readonly model: LearnedModel
  readonly recipe: Recipe
  /** The certificate that is about this model; missing where none is, or none stands. */
  readonly certificate?: { readonly seal: string; readonly claim: string }
  /** SHA-256 of model and recipe: a changed recipe would give wrong numbers without a word. */
  readonly seal: string
}

export function modelFile(model: LearnedModel, recipe: Recipe, certificate?: { seal: string; claim: string }): ModelFile {
  const certified = certificate && { certificate: { seal: certificate.seal, claim: certificate.claim } }
  return { type: 'alis-model', version: 1, ...certified, model, recipe, seal: sealOf(model, recipe) }
}

const sealOf = (model: LearnedModel, recipe: Recipe): string => identityOf([model.id, recipe])

/** Reads a model that `alis export` wrote, and refuses one that was changed since. */
export function readModelFile(path: string): ModelFile {
  const given = parse(path)
  requireInput(
    given?.type === 'alis-model',
    `${path}: a model that alis export wrote is required, got something else`,
    'It writes model.json.',
  )
  requireInput(given.version === 1, `${path}: version must be 1, got ${given.version}`, 'Use a newer alis.')
  const model = modelFromJson(given.model)
  requireInput(given.seal === sealOf(model, given.recipe), `${path}: content must match its seal, got other content`, changed)
  const recipe = requireRecipe(given.recipe)
  const width = widthOf(model)
  requireInput(
    width === recipe.width,
    `${path}: a model of ${recipe.width} features is required, those of its recipe, got ${width}`,
  )
  return { ...given, model, recipe }
}

const changed = 'The file was changed. Export the model again.'

function parse(path: string): ModelFile | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (error as Error).message
    throw new AlisError('bad-input', `${path}: a model to read is required, got ${reason}`, undefined, { cause: error })
  }
}
