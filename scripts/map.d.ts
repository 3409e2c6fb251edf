export interface Room {
  readonly name: string
  readonly lines: number
  /** Imported rooms; true where only types are imported. */
  readonly imports: ReadonlyMap<string, boolean>
}

export interface Arrow {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

export interface RoomMap {
  readonly rooms: readonly Room[]
  readonly arrows: readonly Arrow[]
  readonly layers: ReadonlyMap<string, number>
}

export function roomsOf(files: ReadonlyMap<string, string>): Room[]
export function mapOf(rooms: readonly Room[]): RoomMap
export function drawMap(map: RoomMap): string
