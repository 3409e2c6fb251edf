interface Rule {
  readonly imports: readonly string[]
  readonly types?: readonly string[]
  readonly packages?: readonly string[]
}

export const zones: Readonly<Record<string, Rule>>
export function zoneOf(path: string): string | undefined
export function importsOf(
  path: string,
  text: string,
): { readonly target: string; readonly package?: string; readonly zone?: string; readonly isType: boolean }[]
export function violations(files: ReadonlyMap<string, string>): string[]
export function backArrows(rules?: Readonly<Record<string, Rule>>): string[]
export function sources(root?: string): Map<string, string>
