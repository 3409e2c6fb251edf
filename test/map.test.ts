import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawMap, mapOf, roomsOf } from '../scripts/map.js'
import { layOut } from '../scripts/map-layout.js'
import { sources, zones } from '../scripts/zones.js'

const map = mapOf(roomsOf(sources()))
const { boxes, paths } = layOut(map)
const room = (name: string, ...imports: string[]) => ({ name, lines: 1, imports: new Map(imports.map((each) => [each, false])) })
const namesIn = (svg: string) => [...svg.matchAll(/class="name"[^>]*>([^<]+)</g)].map(([, name]) => name!).sort()

it('the picture in the docs shows exactly the rooms that have rules; npm run map draws it again', () => {
  const svg = readFileSync(new URL('../docs/pictures/rooms.svg', import.meta.url), 'utf8')
  expect(namesIn(svg)).toEqual(Object.keys(zones).sort())
})

it('every arrow of the real imports leads upwards, past boxes and never through them', () => {
  expect(paths.length).toBeGreaterThan(40)
  for (const { nodes } of paths) for (const [i, node] of nodes.slice(1).entries()) expect(node.y).toBeLessThan(nodes[i]!.y)
  for (const { nodes } of paths)
    for (const bend of nodes.slice(1, -1))
      expect(boxes.filter(({ x, y, width }) => y === bend.y && Math.abs(x - bend.x) < width / 2)).toEqual([])
})

it('boxes do not touch', () => {
  for (const a of boxes)
    for (const b of boxes) if (a !== b && a.y === b.y) expect(Math.abs(a.x - b.x)).toBeGreaterThan((a.width + b.width) / 2)
})

it('an arrow that follows from others is left out, and a back arrow is refused', () => {
  const rooms = [room('core'), room('text', 'core'), room('web', 'core', 'text')]
  expect(mapOf(rooms).arrows.map(({ from, to }) => `${from} ${to}`)).toEqual(['text core', 'web text'])
  expect(namesIn(drawMap(mapOf(rooms)))).toEqual(['core', 'text', 'web'])
  expect(() => mapOf([room('core', 'text'), room('text')])).toThrow('every arrow must lead to a room above, got core → text')
})
