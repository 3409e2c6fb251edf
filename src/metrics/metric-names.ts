import { requireInput } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'
import { type Metric, metricNames, metrics } from './catalogue.ts'

/** A metric with the classes it is about, by name. */
export interface NamedMetric {
  readonly metric: Metric
  /** The class in question; for a cell of the confusion matrix, the class that is predicted. */
  readonly positive?: string | undefined
  /** For a cell of the confusion matrix, the class that is answered. */
  readonly actual?: string | undefined
}

/**
 * Reads a metric as people write it: `error`, `recall:spam`, `confusion:spam:ham` (predicted, then answered). Without classes it is
 * left open which are meant. Names of classes may have colons in them: all of the text after the first colon is one name, or two of
 * those that there are; where it can be parted in several ways, the first name is as long as it can be.
 */
export function parseMetric(text: string, classes: readonly string[]): NamedMetric {
  const [name, ...parts] = text.split(':')
  const metric = requireMetric(name!)
  if (parts.length === 0) return { metric }
  const { needs } = metrics[metric]
  const rest = parts.join(':')
  requireInput(needs === 'class' || needs === 'two classes', `metric: ${metric} without a class is required, got ${text}`)
  return needs === 'class' ? { metric, positive: requireClass(rest, metric, classes) } : { metric, ...twoClasses(rest, classes) }
}

/** The metric as people write it. */
export function metricText({ metric, positive, actual }: NamedMetric): string {
  return [metric, positive, actual].filter((part) => part !== undefined).join(':')
}

function requireMetric(name: string): Metric {
  const metric = metricNames.find((each) => each === name)
  const message = `metric: one of ${metricNames.join(', ')} is required, got ${name || 'nothing'}`
  requireInput(metric !== undefined, message, didYouMean(name, metricNames))
  return metric
}

function requireClass(name: string, metric: Metric, classes: readonly string[]): string {
  const message = `metric: one of ${classes.join(', ')} is required after ${metric}:, got ${name || 'nothing'}`
  requireInput(classes.includes(name), message, didYouMean(name, classes))
  return name
}

function twoClasses(text: string, classes: readonly string[]): { positive: string; actual: string } {
  const places = [...text.matchAll(/:/g)].map(({ index }) => index)
  const pairs = places.map((at) => ({ positive: text.slice(0, at), actual: text.slice(at + 1) }))
  const pair = pairs.findLast(({ positive, actual }) => classes.includes(positive) && classes.includes(actual))
  const message = `metric: two of ${classes.join(', ')} are required after confusion:, got ${text || 'nothing'}`
  requireInput(pair !== undefined, message, 'The class that is predicted comes first, as in confusion:spam:ham.')
  return pair
}
