import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

/** Fields of a protocol buffer: numbers, texts, bytes or messages by their numbers. */
type Field = readonly [number: number, value: number | string | Uint8Array | readonly Field[]]

/** https://protobuf.dev/programming-guides/encoding: a tag, and then a varint or so many bytes. */
function message(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number << 3), varint(value)]
      const bytes = typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : message(value)
      return [varint((number << 3) | 2), varint(bytes.length), bytes]
    }),
  )
}

function varint(value: number): Uint8Array {
  return value < 128 ? Uint8Array.of(value) : Uint8Array.from([(value & 127) | 128, ...varint(value >>> 7)])
}

const [float32, int64] = [1, 7]
/** A tensor that a graph takes or gives: its sizes by name or number. */
const tensor = (name: string, type: number, sizes: readonly (string | number)[]): Field[] => {
  const dimensions = sizes.map((size): Field => [1, [typeof size === 'number' ? [1, size] : [2, size]]])
  const shape: Field[] = [
    [1, type],
    [2, dimensions],
  ]
  return [
    [1, name],
    [2, [[1, shape]]],
  ]
}

/** A model in ONNX of one node, with a tensor of constants. */
function oneNode(
  operator: string,
  inputs: readonly string[],
  constants: readonly Field[],
  [into, out]: readonly (readonly Field[])[],
) {
  const node = [...inputs.map((name): Field => [1, name]), [2, 'last_hidden_state'], [4, operator]] as Field[]
  const masks: Field[] = inputs.includes('input_ids') ? [[11, tensor('attention_mask', int64, ['batch', 'tokens'])]] : []
  const graph: Field[] = [[1, node], [2, 'tiny'], [5, constants], [11, into!], ...masks, [12, out!]]
  return message([
    [1, 8],
    [7, graph],
    [8, [[2, 13]]],
  ])
}

/** `table[token]` as the state of each token. */
function tableModel(table: Float32Array, width: number): Uint8Array {
  const values: Field[] = [
    [1, table.length / width],
    [1, width],
    [2, float32],
    [8, 'table'],
    [9, new Uint8Array(table.buffer)],
  ]
  const [into, out] = [
    tensor('input_ids', int64, ['batch', 'tokens']),
    tensor('last_hidden_state', float32, ['batch', 'tokens', width]),
  ]
  return oneNode('Gather', ['table', 'input_ids'], values, [into, out])
}

/** The pixels of each of three colours as the states of three tokens. */
function pixelModel(size: number): Uint8Array {
  const shape = new Uint8Array(BigInt64Array.of(0n, 3n, -1n).buffer)
  const [into, out] = [
    tensor('pixel_values', float32, ['batch', 3, size, size]),
    tensor('last_hidden_state', float32, ['batch', 3, size * size]),
  ]
  return oneNode(
    'Reshape',
    ['pixel_values', 'shape'],
    [
      [1, 3],
      [2, int64],
      [8, 'shape'],
      [9, shape],
    ],
    [into, out],
  )
}

/** A model of images in a folder: the vector of an image is its pixels, in grey, from 0 to 1. */
export function writeTinyImageModel(folder: string, size: number): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content))
  writeFileSync(join(folder, 'onnx/model.onnx'), pixelModel(size))
  write('config.json', { model_type: 'vit', architectures: ['ViTModel'], image_size: size })
  const scaling = { do_rescale: true, rescale_factor: 1 / 255, do_normalize: false }
  write('preprocessor_config.json', {
    ...{ image_processor_type: 'ViTImageProcessor', do_resize: true, size: { height: size, width: size }, resample: 0 },
    ...scaling,
  })
}

/** A model of words in a folder, as `@huggingface/transformers` reads it: `vectors` has the state of each word. */
export function writeTinyModel(folder: string, vectors: Readonly<Record<string, readonly number[]>>): void {
  const words = ['[PAD]', '[UNK]', ...Object.keys(vectors)]
  const width = Object.values(vectors)[0]!.length
  const zero = new Array<number>(width).fill(0)
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content))
  writeFileSync(
    join(folder, 'onnx/model.onnx'),
    tableModel(Float32Array.from([zero, zero, ...Object.values(vectors)].flat()), width),
  )
  write('config.json', { model_type: 'bert', architectures: ['BertModel'], hidden_size: width, vocab_size: words.length })
  write('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    model_max_length: 64,
  })
  write('tokenizer.json', {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [0, 1].map((id) => ({
      id,
      content: words[id],
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', vocab: Object.fromEntries(words.map((word, id) => [word, id])), unk_token: '[UNK]' },
  })
}

/** A grey image as a PNG file: https://www.w3.org/TR/png-3. */
export function png(size: number, grey: readonly number[]): Uint8Array {
  const word = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const chunk = (name: string, content: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(name), content])
    return [word(content.length), named, word(crc32(named))]
  }
  const lines = Array.from({ length: size }, (_, y) => [0, ...grey.slice(y * size, (y + 1) * size)])
  const head = Buffer.concat([word(size), word(size), Uint8Array.of(8, 0, 0, 0, 0)])
  const pixels = deflateSync(Uint8Array.from(lines.flat()))
  const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)
  return Buffer.concat([signature, ...chunk('IHDR', head), ...chunk('IDAT', pixels), ...chunk('IEND', new Uint8Array())])
}
