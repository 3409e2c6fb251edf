/** Colours are for people at a terminal who have not asked to be spared them (https://no-color.org). */
export function wantsColor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
}

/** As wide as the terminal, within reason. */
export function chartWidth(stream: { readonly columns?: number } = process.stdout): number {
  return Math.min(stream.columns ?? 80, 100)
}
