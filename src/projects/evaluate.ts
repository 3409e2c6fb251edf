import type { Reader } from '../core/belief.ts'
import type { Model } from '../core/model.ts'
import type { Label } from '../core/record.ts'
import type { Engine } from '../engines/engine.ts'

export interface TestResult {
  readonly error: number
  readonly logLoss: number
}

/** How a model does on points it never trained on and whose labels are known. Labels are in the order of the points; those without one are left out. */
export async function evaluate(model: Model, loss: Reader, engine: Engine, labels: readonly Label[]): Promise<TestResult> {
  const positions = new Map(model.classes.map((name, position) => [name, position]))
  let next = 0
  let points = 0
  let wrong = 0
  let logLoss = 0
  for await (const batch of engine.predictions(model, loss)) {
    for (const { label, probabilities } of batch) {
      const truth = positions.get(labels[next++] ?? '')
      if (truth === undefined) continue
      points++
      if (truth !== label) wrong++
      logLoss -= Math.log(Math.max(probabilities[truth]!, 1e-15))
    }
  }
  return { error: wrong / points, logLoss: logLoss / points }
}
