import { type Command, InvalidArgumentError, Option } from 'commander'
import { didYouMean } from '../../core/nearest-name.ts'
import { metricNames, metrics, needsClass } from '../../metrics/catalogue.ts'
import { listed } from '../../text/wording.ts'
import { names } from './values.ts'

const wordsOfClasses = metricNames.filter(needsClass).map((name) => metrics[name].word)

/** Takes metrics and the classes they are about. `usual`: what is measured if nothing is said. */
export function withMetrics(command: Command, usual: string): Command {
  return command
    .addOption(
      new Option('--metric <names>', `what to measure, separated by commas, a class after a colon (default: ${usual})`)
        .choices(metricNames)
        .argParser(metricsIn),
    )
    .option('--positive <class>', `the class that ${listed(wordsOfClasses, 'and')} are about`)
    .addOption(new Option('--each-class', 'ask what is about a class for every class').conflicts('positive'))
}

export function withSlices(command: Command): Command {
  return command.option('--by <columns>', 'ask everything also by each value of these columns; may be repeated', columnsIn)
}

/** Whole list of metrics so far; `--metric` may be repeated. Classes are looked at once they are known. */
export function metricsIn(text: string, before: readonly string[] = []): readonly string[] {
  const all = text.split(',').map((metric) => metric.trim())
  for (const metric of all) {
    const name = metric.split(':')[0]!
    if (metricNames.some((known) => known === name)) continue
    const hint = didYouMean(name, metricNames)
    throw new InvalidArgumentError(
      `one of ${metricNames.join(', ')} is required, got ${JSON.stringify(name)}${hint ? `\n${hint}` : ''}`,
    )
  }
  return [...before, ...all]
}

function columnsIn(text: string, before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...names(text)])]
}
