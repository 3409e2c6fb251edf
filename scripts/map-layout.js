// Places boxes in layers so that arrows between them bend and cross little.
import { dirname } from 'node:path'

export const box = { height: 44, gap: 18 }
const step = 92
const margin = 28
const widthOf = ({ name }) => Math.max(88, 26 + 8.2 * name.length)

/** Where everything stands: boxes by layer, and the points that arrows pass on their way between boxes of other layers. */
export function layOut({ rooms, arrows, layers }) {
  const rows = Array.from({ length: Math.max(...layers.values()) + 1 }, () => [])
  const boxes = new Map()
  for (const room of rooms) {
    const node = { room, width: widthOf(room), weight: 1, layer: layers.get(room.name), up: [], down: [], beside: [] }
    boxes.set(room.name, node)
    rows[node.layer].push(node)
  }
  const paths = arrows.map(({ from, to, isType }) => {
    const nodes = [boxes.get(from)]
    for (let layer = boxes.get(from).layer - 1; layer > boxes.get(to).layer; layer--) {
      const bend = { width: 4, weight: 2, layer, up: [], down: [], beside: [] } // weight: lines bend less than boxes move
      rows[layer].push(bend)
      nodes.push(bend)
    }
    nodes.push(boxes.get(to))
    for (let i = 1; i < nodes.length; i++) {
      nodes[i - 1].up.push(nodes[i])
      nodes[i].down.push(nodes[i - 1])
    }
    return { from, to, isType, nodes }
  })
  for (const node of boxes.values())
    if (node.up.length + node.down.length === 0) node.beside.push(boxes.get(dirname(node.room.name)))
  for (const [key, node] of rows.flat().entries()) node.key = key
  placeRows(rows)
  const least = Math.min(...rows.flat().map(({ x, width }) => x - width / 2))
  for (const node of rows.flat()) Object.assign(node, { x: node.x - least + margin, y: margin + step * node.layer })
  const width = Math.max(...rows.flat().map((node) => node.x + node.width / 2)) + margin
  return { boxes: [...boxes.values()], paths, width, height: margin + step * (rows.length - 1) + box.height + margin }
}

/**
 * Few crossings and short lines: rows are sorted by the means of their neighbours, up and down in turn, from a number of beginnings.
 * Of the orders with the fewest crossings the one is kept whose lines are the straightest.
 */
function placeRows(rows) {
  let best = { cost: Number.POSITIVE_INFINITY, rows }
  for (let start = 0; start < 40; start++) {
    const trial = rows.map((row) => row.toSorted((a, b) => mixed(a, start) - mixed(b, start)))
    sortRows(trial)
    for (const row of trial) putBeside(row)
    const crossings = crossingsIn(trial)
    straighten(trial)
    const bends = trial.flat().reduce((sum, node) => sum + node.up.reduce((own, { x }) => own + Math.abs(x - node.x), 0), 0)
    const cost = 120 * crossings + bends
    if (cost < best.cost) best = { cost, rows: trial, places: trial.map((row) => row.map(({ x }) => x)) }
  }
  for (const [k, row] of best.rows.entries()) for (const [i, node] of row.entries()) node.x = best.places[k][i]
}

/** A number that depends on a node and a beginning, and on nothing else. */
const mixed = ({ key }, start) => (start === 0 ? key : (Math.imul(key + 1, 2654435761) ^ Math.imul(start, 40503)) >>> 0) % 1009

const mean = (nodes, otherwise) => (nodes.length === 0 ? otherwise : nodes.reduce((sum, { x }) => sum + x, 0) / nodes.length)

function sortRows(rows) {
  const number = (row) => {
    for (const [i, node] of row.entries()) node.x = i - row.length / 2
  }
  for (const row of rows) number(row)
  let best = { crossings: Number.POSITIVE_INFINITY }
  for (let sweep = 0; sweep < 30; sweep++) {
    const isDown = sweep % 2 === 0
    for (const row of isDown ? rows : rows.toReversed()) {
      const wanted = new Map(row.map((node) => [node, mean(isDown ? node.up : node.down, node.x)]))
      row.sort((a, b) => wanted.get(a) - wanted.get(b))
      number(row)
    }
    const crossings = crossingsIn(rows)
    if (crossings < best.crossings) best = { crossings, rows: rows.map((row) => [...row]) }
  }
  for (const [k, row] of best.rows.entries()) rows[k].splice(0, row.length, ...row)
  for (const row of rows) number(row)
}

/** A room without arrows goes next to the folder it is in. */
function putBeside(row) {
  for (const node of row.filter(({ beside }) => beside.length > 0)) {
    row.splice(row.indexOf(node), 1)
    row.splice(row.indexOf(node.beside[0]) + 1, 0, node)
  }
}

function straighten(rows) {
  for (const row of rows)
    spread(
      row,
      row.map((_, i) => 120 * (i - (row.length - 1) / 2)),
    )
  for (let sweep = 0; sweep < 600; sweep++)
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed())
      spread(
        row,
        row.map((node) => mean([...node.up, ...node.down, ...node.beside], node.x)),
      )
}

function crossingsIn(rows) {
  let crossings = 0
  for (const row of rows) {
    const lines = row.flatMap((node) => node.up.map((other) => [node.x, other.x]))
    for (const [i, [a, b]] of lines.entries()) for (const [c, d] of lines.slice(i + 1)) if ((a - c) * (b - d) < 0) crossings++
  }
  return crossings
}

/** The places nearest to those wanted at which no two boxes of a row touch: means of neighbours that would, as in isotonic regression. */
function spread(row, wanted) {
  let offset = 0
  const offsets = row.map((node, i) => {
    if (i > 0) offset += (row[i - 1].width + node.width) / 2 + box.gap
    return offset
  })
  const blocks = []
  for (const [i, x] of wanted.entries()) {
    const { weight } = row[i]
    let block = { sum: weight * (x - offsets[i]), weight, size: 1 }
    while (blocks.length > 0 && blocks.at(-1).sum / blocks.at(-1).weight > block.sum / block.weight) {
      const before = blocks.pop()
      block = { sum: before.sum + block.sum, weight: before.weight + block.weight, size: before.size + block.size }
    }
    blocks.push(block)
  }
  const places = blocks.flatMap(({ sum, weight, size }) => Array(size).fill(sum / weight))
  for (const [i, node] of row.entries()) node.x = places[i] + offsets[i]
}
