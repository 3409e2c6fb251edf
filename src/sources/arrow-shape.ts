import { type DataType, type DictionaryType, type Field, Type } from '@uwdata/flechette'
import type { ArrowHeader } from './arrow-header.ts'

/** Nodes and buffers in a record batch. Views have more buffers, which the batch counts itself. */
type Shape = Pick<ArrowHeader, 'nodes' | 'buffers'>

/** Throws a RangeError unless a message has the nodes and buffers that its types need: missing ones would be read as others. */
export function requireShape(fields: readonly Field[], { kind, id, nodes, buffers, viewBuffers }: ArrowHeader): void {
  const types = kind === 'batch' ? fields.map(({ type }) => type) : [dictionaryOf(fields, id)]
  const needed = together(types)
  if (nodes !== needed.nodes || buffers !== needed.buffers + viewBuffers) {
    throw new RangeError(
      `${needed.nodes} nodes and ${needed.buffers} + ${viewBuffers} buffers are needed, ${nodes} and ${buffers} are there`,
    )
  }
}

function together(types: readonly DataType[]): Shape {
  const shapes = types.map(shapeOf)
  return {
    nodes: shapes.reduce((sum, { nodes }) => sum + nodes, 0),
    buffers: shapes.reduce((sum, { buffers }) => sum + buffers, 0),
  }
}

function shapeOf(type: DataType): Shape {
  const { nodes, buffers } = together(childrenOf(type).map((child) => child.type))
  return { nodes: nodes + 1, buffers: buffers + (buffersOf.get(type.typeId) ?? 2) }
}

const childrenOf = (type: DataType): readonly Field[] => ('children' in type ? type.children : [])

/** Buffers of a type that has not two of its own. */
const buffersOf = new Map<number, number>([
  ...[Type.Null, Type.RunEndEncoded].map((type) => [type, 0] as const),
  ...[Type.FixedSizeList, Type.Struct].map((type) => [type, 1] as const),
  ...[Type.Utf8, Type.LargeUtf8, Type.Binary, Type.LargeBinary, Type.ListView, Type.LargeListView].map(
    (type) => [type, 3] as const,
  ),
])

/** The type of the entries of a dictionary, which may be used anywhere inside the columns. */
function dictionaryOf(fields: readonly Field[], id: bigint): DataType {
  const found = dictionaries(fields).find((type) => BigInt(type.id) === id)
  if (!found) throw new RangeError(`no column has the dictionary ${id}`)
  return found.dictionary
}

function dictionaries(fields: readonly Field[]): DictionaryType[] {
  return fields.flatMap(({ type }) =>
    type.typeId === Type.Dictionary ? [type, ...dictionaries(childrenOf(type.dictionary))] : dictionaries(childrenOf(type)),
  )
}
