// Draws the folders of src and their imports:   npm run map
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { box, layOut } from './map-layout.js'
import { importsOf, sources, zoneOf, zones } from './zones.js'

/** Every room with its lines and the rooms it imports; `isType` where it takes types only. */
export function roomsOf(files) {
  const rooms = new Map(Object.keys(zones).map((name) => [name, { name, lines: 0, imports: new Map() }]))
  for (const [path, text] of files) {
    const room = rooms.get(zoneOf(path))
    room.lines += text.split('\n').length - 1
    for (const { zone, isType } of importsOf(path, text)) {
      if (zone === undefined || zone === room.name) continue
      room.imports.set(zone, isType && (room.imports.get(zone) ?? true))
    }
  }
  return [...rooms.values()]
}

/** Rooms in layers and the arrows that say something: one that follows from others is left out. */
export function mapOf(rooms) {
  const order = rooms.map(({ name }) => name)
  const back = rooms.flatMap(({ name, imports }, at) =>
    [...imports.keys()].filter((other) => order.indexOf(other) >= at).map((other) => `${name} → ${other}`),
  )
  if (back.length > 0) throw new Error(`map: every arrow must lead to a room above, got ${back.join(', ')}`)
  const above = new Map() // all that a room needs, directly or not
  for (const { name, imports } of rooms)
    above.set(name, new Set([...imports.keys()].flatMap((each) => [each, ...above.get(each)])))
  const arrows = rooms.flatMap(({ name, imports }) =>
    [...imports]
      .filter(([to]) => ![...imports.keys()].some((other) => above.get(other).has(to)))
      .map(([to, isType]) => ({ from: name, to, isType })),
  )
  return { rooms, arrows, layers: layersOf(rooms, arrows) }
}

/** A room stands below all it imports; one that more rooms use than it needs, close above them. */
function layersOf(rooms, arrows) {
  const layers = new Map()
  for (const { name } of rooms)
    layers.set(name, Math.max(-1, ...arrows.filter(({ from }) => from === name).map(({ to }) => layers.get(to))) + 1)
  for (const { name } of rooms.toReversed()) {
    const users = arrows.filter(({ to }) => to === name).map(({ from }) => layers.get(from))
    const needs = arrows.filter(({ from }) => from === name)
    if (users.length > needs.length) layers.set(name, Math.min(...users) - 1)
  }
  const isAlone = ({ name }) => !arrows.some(({ from, to }) => from === name || to === name)
  for (const { name } of rooms.filter(isAlone)) layers.set(name, layers.get(dirname(name)) ?? 0) // beside the folder it is in
  return layers
}

/** Which colour a room has: by the part of the house that it is in. */
const kinds = {
  core: 'base',
  text: 'base',
  protocol: 'base',
  engines: 'adapters',
  sources: 'adapters',
  features: 'adapters',
  stores: 'adapters',
  programs: 'adapters',
  elsewhere: 'adapters',
  oracles: 'adapters',
  'loop.ts': 'loops',
  'audit.ts': 'loops',
  'import-labels.ts': 'loops',
  'index.ts': 'loops',
  'node.ts': 'loops',
  projects: 'projects',
  compare: 'projects',
  server: 'server',
  cli: 'command',
  web: 'page',
}
const kindOf = (name) => kinds[name] ?? kinds[name.split('/')[0]] ?? 'mathematics'

const style = `
  svg { --paper: #fbfaf7; --ink: #1a1c1e; --faint: #6a6f74; --line: #9aa0a3;
    --base: #e7e4dc; --mathematics: #cfe6e4; --adapters: #dbe3f3; --loops: #f6dfb8; --projects: #e4dcf0; --server: #f3d9d6; --command: #dcebcf; --page: #f0e3a8 }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #131516; --ink: #eceeeb; --faint: #a2a8a8; --line: #6d7476;
      --base: #35383a; --mathematics: #1d4a4b; --adapters: #2b3a5a; --loops: #5a441a; --projects: #43365c; --server: #5a302d; --command: #36502a; --page: #57511f }
  }
  text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; text-anchor: middle; fill: var(--ink) }
  .name { font-size: 13.5px; font-weight: 600 } .lines { font-size: 11px; fill: var(--faint) }
  path { fill: none; stroke: var(--line); stroke-width: 1.4 } .types { stroke-dasharray: 4 3 } #head path { fill: var(--line); stroke: none }
`

/** The picture: a room imports what its arrows lead to, and whatever those lead to; dashed where it takes types only. */
export function drawMap(map) {
  const { boxes, paths, width, height } = layOut(map)
  const at = (n) => n.toFixed(1).replace(/\.0$/, '')
  const lines = paths.map(({ nodes, from, to, isType }) => {
    let path = `M${at(nodes[0].x)} ${at(nodes[0].y)}`
    for (const [i, node] of nodes.slice(1).entries()) {
      const before = nodes[i]
      const [y, end] = [before.y, node.y + box.height + (i === nodes.length - 2 ? 6 : 0)]
      const bend = (y - end) * 0.55
      path += `C${at(before.x)} ${at(y - bend)} ${at(node.x)} ${at(end + bend)} ${at(node.x)} ${at(end)}`
      if (i < nodes.length - 2) path += `V${at(node.y)}`
    }
    return `<path d="${path}"${isType ? ' class="types"' : ''} marker-end="url(#head)"><title>${from} imports ${isType ? 'types of ' : ''}${to}</title></path>`
  })
  const drawn = boxes.map(({ room, x, y, width: own }) => {
    const [left, words] = [x - own / 2, `${room.lines.toLocaleString('en-US')} lines`]
    return `<g><rect x="${at(left)}" y="${at(y)}" width="${at(own)}" height="${box.height}" rx="9" fill="var(--${kindOf(room.name)})"/>
<text class="name" x="${at(x)}" y="${at(y + 19)}">${room.name}</text><text class="lines" x="${at(x)}" y="${at(y + 35)}">${words}</text></g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" width="${Math.ceil(width)}" height="${height}" role="img">
<title>The rooms of src: each imports only rooms above it</title>
<style>${style}</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.8L8 4L0 7.2Z"/></marker></defs>
<rect width="100%" height="100%" rx="14" fill="var(--paper)"/>
${lines.join('\n')}
${drawn.join('\n')}
</svg>
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'pictures', 'rooms.svg')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, drawMap(mapOf(roomsOf(sources()))))
}
