export interface KeyedClass {
  readonly name: string
  readonly key: string
}

const reserved = new Set(['u', 'g', 'h', 'p', 'z']) // cannot tell, guidelines, how do we know, panel, full size
const letters = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !reserved.has(letter))
/** The keys classes can have, in the order they are given. */
export const offeredKeys: readonly string[] = [...'1234567890', ...letters, ...letters.map((letter) => letter.toUpperCase())]

/** As many as people can be asked to choose from: where there are no keys left they find them by typing. */
export const mostClasses = 1000

/** A key for every class: a digit is its own, the others take what is free; none once all are taken. */
export function keyed(names: readonly string[]): KeyedClass[] {
  const taken = new Set(names.filter((name) => /^\d$/.test(name)))
  const free = offeredKeys.filter((key) => !taken.has(key))
  return names.map((name) => ({ name, key: taken.has(name) ? name : (free.shift() ?? '') }))
}
