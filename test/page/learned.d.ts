export function learnedBy(): Promise<unknown>
