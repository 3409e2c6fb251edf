export function findChromium(): string | undefined
export const noChromium: string
