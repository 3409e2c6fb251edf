import type { Arrow, Room, RoomMap } from './map.js'

interface Placed {
  readonly x: number
  readonly y: number
}

export function layOut(map: RoomMap): {
  readonly boxes: readonly (Placed & { readonly room: Room; readonly width: number })[]
  readonly paths: readonly (Arrow & { readonly nodes: readonly Placed[] })[]
  readonly width: number
  readonly height: number
}
