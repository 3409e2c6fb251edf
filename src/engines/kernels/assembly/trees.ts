/**
 * What trees say of rows: the shares of the leaf that a row comes to, summed over all trees, classes side by side. Features as 32-bit floats.
 *
 * A node is 8 bytes: which feature it looks at and how many nodes further on rows go that are above its cut, 16 bits each; then the cut. A leaf
 * leads 0 nodes on, and its cut is not a number, so that every row stays there; the bits of that say which leaf it is.
 */
const leafBits: u32 = 0x3fffff

/** Rows at a time: so few that they stay at hand from one tree to the next, and so does a tree from one row to the next. */
const blockRows = 64
const columnBytes = 4 * blockRows

/** `work` has room for a block, 256 bytes a column. */
export function countVotes(
  features: usize,
  rows: i32,
  columns: i32,
  roots: usize,
  trees: i32,
  nodes: usize,
  leaves: usize,
  classes: i32,
  work: usize,
  out: usize,
): void {
  const width = <usize>(8 * classes)
  memory.fill(out, 0, <usize>rows * width)
  for (let first = 0; first < rows; first += blockRows) {
    const count = min(blockRows, rows - first)
    turn(features + <usize>first * <usize>(4 * columns), count, columns, work)
    const to = out + <usize>first * width
    for (let t = 0; t < trees; t++) countBlock(nodes + 8 * <usize>load<u32>(roots + 4 * <usize>t), work, count, leaves, width, to)
  }
}

/** Writes a block column by column: the same feature of several rows is then at a fixed distance. */
function turn(features: usize, rows: i32, columns: i32, work: usize): void {
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++, features += 4)
      store<f32>(work + <usize>j * columnBytes + <usize>(4 * i), load<f32>(features))
}

/** One tree and the rows of a block, eight at a time, so that none has to wait for another's node. Those past the last are some other numbers. */
function countBlock(root: usize, work: usize, rows: i32, leaves: usize, width: usize, out: usize): void {
  for (let i = 0; i < rows; i += 8, work += 32, out += 8 * width) {
    let a = root
    let b = root
    let c = root
    let d = root
    let e = root
    let f = root
    let g = root
    let h = root
    let moved: usize
    do {
      const sum = a + b + c + d + e + f + g + h // every step goes on
      a = next(a, work)
      b = next(b, work + 4)
      c = next(c, work + 8)
      d = next(d, work + 12)
      e = next(e, work + 16)
      f = next(f, work + 20)
      g = next(g, work + 24)
      h = next(h, work + 28)
      moved = a + b + c + d + e + f + g + h - sum
    } while (moved !== 0)
    addShares(out, a, leaves, width)
    if (i + 1 < rows) addShares(out + width, b, leaves, width)
    if (i + 2 < rows) addShares(out + 2 * width, c, leaves, width)
    if (i + 3 < rows) addShares(out + 3 * width, d, leaves, width)
    if (i + 4 < rows) addShares(out + 4 * width, e, leaves, width)
    if (i + 5 < rows) addShares(out + 5 * width, f, leaves, width)
    if (i + 6 < rows) addShares(out + 6 * width, g, leaves, width)
    if (i + 7 < rows) addShares(out + 7 * width, h, leaves, width)
  }
}

function next(node: usize, row: usize): usize {
  const head = load<u32>(node)
  const isBelow = load<f32>(row + <usize>(head & 0xffff) * columnBytes) <= load<f32>(node, 4)
  return node + 8 * <usize>select<u32>(1, head >> 16, isBelow)
}

function addShares(out: usize, node: usize, leaves: usize, width: usize): void {
  const from = leaves + <usize>(load<u32>(node, 4) & leafBits) * width
  let k: usize = 0
  for (; k + 16 <= width; k += 16) v128.store(out + k, f64x2.add(v128.load(out + k), v128.load(from + k)))
  if (k < width) store<f64>(out + k, load<f64>(out + k) + load<f64>(from + k))
}
