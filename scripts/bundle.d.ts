export function bundled(code: string): Promise<string>
export interface Import {
  readonly name: string
  readonly code: string
  readonly most: number
  readonly compressed: boolean
}
export const imports: readonly Import[]
export function sizesOf(each: Pick<Import, 'code'>): Promise<{ readonly bytes: number; readonly compressed: number }>
