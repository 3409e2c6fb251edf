/** The properties of an object under some names, in their order; what is undefined is left out. */
export function pick<T extends object, K extends keyof T>(object: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]])) as Pick<T, K>
}
