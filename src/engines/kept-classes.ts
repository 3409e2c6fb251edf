import type { Model } from '../core/model.ts'

/** The classes that models give to all points of a pool, by model: of those that the last comparison was about, and of the one last drawn with. */
export interface KeptClasses<Classes> {
  of(model: Model): Classes | undefined
  /** From now on this is the model last drawn with, unless its classes are not kept yet and cannot be made. */
  drawnWith(model: Model, make?: () => Promise<Classes>): Promise<void>
  /** Classes of a model that are known from elsewhere, kept until the next comparison. */
  add(model: Model, classes: Classes): void
  /** By id. Forgets all others but the model last drawn with. */
  comparedWith(models: ReadonlyMap<string, Classes>): void
}

/** `forget`: called with classes that are not kept any longer. */
export function keptClasses<Classes>(forget: (classes: Classes) => void = () => {}): KeptClasses<Classes> {
  let compared: ReadonlyMap<string, Classes> = new Map()
  let drawn: readonly [id: string, classes: Classes] | undefined

  const replace = (next: typeof compared, nextDrawn: typeof drawn) => {
    const before = new Set([...compared.values(), ...(drawn ? [drawn[1]] : [])])
    compared = next
    drawn = nextDrawn
    const now = new Set([...compared.values(), ...(drawn ? [drawn[1]] : [])])
    for (const classes of before) if (!now.has(classes)) forget(classes)
  }

  const of = ({ id }: Model) => compared.get(id) ?? (drawn?.[0] === id ? drawn[1] : undefined)

  return {
    of,
    async drawnWith(model, make) {
      const classes = of(model) ?? (await make?.())
      if (classes) replace(compared, [model.id, classes])
    },
    add: ({ id }, classes) => replace(new Map([...compared, [id, classes]]), drawn),
    comparedWith: (models) => replace(models, drawn),
  }
}
