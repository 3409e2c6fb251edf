import { memoize } from '../../core/memoize.ts'
import { type TreesModel, voteShapeOf } from '../../core/trees-model.ts'

/** Trees as src/engines/kernels/assembly/trees.ts reads them. */
export interface PackedTrees {
  readonly roots: Uint32Array
  /** Two words a node. */
  readonly nodes: Uint32Array
  readonly leaves: Float64Array
  /** What scores are multiplied by. */
  readonly scale: number
}

/** What threads, steps of 16 bits, and leaves have room for. */
const mostFeatures = 1024
const mostSteps = 2 ** 16
const mostLeaves = 2 ** 22
const noNumber = 0x7fc00000

/** Undefined where there are more features, larger trees or more kinds of leaves than there is room for. */
export const packTrees: (model: TreesModel) => PackedTrees | undefined = memoize((model) => {
  const { width, roots, features, cuts, others, shares } = model
  if (width > mostFeatures || shares.length > mostLeaves) return undefined
  const nodes = new Uint32Array(2 * features.length)
  const floats = new Float32Array(nodes.buffer)
  for (let node = 0; node < features.length; node++) {
    const [feature, cut, other] = [features[node]!, cuts[node]!, others[node]!]
    if (feature < 0) nodes[2 * node + 1] = noNumber | other
    else {
      if (other - node >= mostSteps) return undefined
      nodes[2 * node] = feature | ((other - node) << 16)
      floats[2 * node + 1] = atMost(cut)
    }
  }
  return { roots: Uint32Array.from(roots), nodes, leaves: Float64Array.from(shares.flat()), scale: voteShapeOf(model).scale }
})

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** The largest 32-bit float that is at most so large: for floats it makes the same cut. */
function atMost(cut: number): number {
  float[0] = cut
  if (float[0]! > cut) bits[0]! += float[0]! > 0 ? -1 : 1
  return float[0]!
}
