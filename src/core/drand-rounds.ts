/**
 * The public network of drand whose rounds need nothing but their number: a random value every three seconds, which no member of it knows before.
 * These are its parameters, as it publishes them.
 */
export const quicknet = {
  chain: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  key: '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  /** Seconds since 1970 of round 1, and from one to the next. */
  genesis: 1692803367,
  period: 3,
} as const

/** When a round comes out. */
export const timeOfRound = (round: number): Date => new Date(1000 * (quicknet.genesis + quicknet.period * (round - 1)))

/** The first round that comes out at some time or later. */
export const roundAt = (time: Date): number =>
  Math.max(1, 1 + Math.ceil((time.getTime() / 1000 - quicknet.genesis) / quicknet.period))
