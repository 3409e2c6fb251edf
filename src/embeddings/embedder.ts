import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { pipeline as connect } from 'node:stream/promises'
import { AlisError } from '../core/errors.ts'

/** What a model is asked about. */
export type EmbeddedKind = 'text' | 'image'

/** A model that makes vectors of texts or images. */
export interface Embedder {
  /** A vector for each, all of them as long. NaN where nothing can be said, as of a text without words. */
  embed(values: readonly string[]): Promise<readonly Float32Array[]>
  close(): Promise<void>
}

export interface EmbedderRequest {
  /** A folder as `@huggingface/transformers` reads it, or the name of a model on the Hugging Face Hub. */
  readonly model: string
  readonly kind: EmbeddedKind
  /** Where paths of images start from. */
  readonly directory: string
}

/** As much of the package as is used; it is an optional peer, and loaded late. */
interface Transformers {
  readonly env: { localModelPath: string; allowRemoteModels: boolean }
  pipeline(task: string, model: string, options: object): Promise<Extractor>
}
interface Extractor {
  (values: readonly string[], options: object): Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>
  dispose(): Promise<unknown>
}

const library = '@huggingface/transformers'
const tasks = { text: 'feature-extraction', image: 'image-feature-extraction' } as const

export async function openEmbedder({ model, kind, directory }: EmbedderRequest): Promise<Embedder> {
  const { env, pipeline } = await transformers()
  const isLocal = await isFolder(model)
  if (isLocal) Object.assign(env, { localModelPath: dirname(resolve(model)), allowRemoteModels: false })
  const extract = await pipeline(tasks[kind], isLocal ? basename(resolve(model)) : model, { dtype: 'fp32' }).catch((cause) => {
    const got = (cause as Error).message.split('\n')[0]
    throw new AlisError(
      'bad-input',
      `--embed-model: a model that ${library} can load is required, got ${model}: ${got}`,
      'A folder has config.json, tokenizer.json or preprocessor_config.json, and onnx/model.onnx; a name is that of a model on the Hugging Face Hub.',
      { cause },
    )
  })
  const isPath = (value: string) => !/^(?:https?:|data:|file:)/.test(value) && !isAbsolute(value)
  return {
    async embed(values) {
      const asked = kind === 'image' ? values.map((value) => (isPath(value) ? join(directory, value) : value)) : values
      return vectorsOf(await extract(asked, kind === 'text' ? { pooling: 'mean', normalize: true } : {}))
    },
    async close() {
      await extract.dispose()
    },
  }
}

async function transformers(): Promise<Transformers> {
  try {
    return (await import(library)) as Transformers
  } catch (cause) {
    const [said] = (cause as Error).message.split('\n')
    const got = /^(?:Cannot find|Could not resolve)/.test(said!) ? 'none' : said
    throw new AlisError(
      'bad-input',
      `--embed-model: the package ${library} is required, got ${got}`,
      `Install it beside alis: npm install ${library}`,
      { cause },
    )
  }
}

/** One for each value: the mean over the states of its parts, where it has several. */
function vectorsOf({ dims, data }: { readonly dims: readonly number[]; readonly data: Float32Array }): Float32Array[] {
  const [count = 0, ...rest] = dims
  const width = rest.at(-1) ?? 1
  const parts = rest.slice(0, -1).reduce((product, size) => product * size, 1)
  return Array.from({ length: count }, (_, i) => {
    const mean = new Float32Array(width)
    for (let part = 0; part < parts; part++)
      for (let j = 0; j < width; j++) mean[j]! += data[(i * parts + part) * width + j]! / parts
    return mean
  })
}

/** What says that a model is still the same: the SHA-256 of the files of its folder, or its name. */
export async function identityOfModel(model: string): Promise<string> {
  if (!(await isFolder(model))) return model
  const hash = createHash('sha256')
  for (const name of (await readdir(model, { recursive: true })).sort()) {
    if (!(await stat(join(model, name))).isFile()) continue
    hash.update(`${name}\n`)
    await connect(createReadStream(join(model, name)), async (bytes) => {
      for await (const chunk of bytes) hash.update(chunk)
    })
  }
  return `sha256:${hash.digest('hex')}`
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isDirectory() ?? false
