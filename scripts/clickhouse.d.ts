export function findClickHouse(): string | undefined
export const noClickHouse: string
