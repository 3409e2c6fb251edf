export function violations(files: ReadonlyMap<string, string>): string[]
