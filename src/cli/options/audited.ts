import { type Command, Option } from 'commander'
import { usualMetrics } from '../../metrics/catalogue.ts'
import { metricsIn, withMetrics, withSlices } from './questions.ts'
import { gradeRange, names, numberIn } from './values.ts'

const ofPredictions = ['prediction', 'probabilities'] as const
const aboutClasses = ['metric', 'positive', 'eachClass', 'against'] as const

export function withAudited(command: Command): Command {
  command
    .option('--prediction <column>', 'the predicted class')
    .option('--confidence <column>', 'probability of the predicted class; without it, draws are uniform')
    .option(
      '--probabilities <columns>',
      'one column of probabilities a class, named like the classes, separated by commas',
      names,
    )
  withSlices(withMetrics(command, usualMetrics.ofOne))
  return command
    .option('--against <column>', "another model's predictions: measure the difference of the two")
    .addOption(
      new Option('--judge <column>', 'verdicts of a judge: the pass rate put right, TPR, TNR and kappa').conflicts([
        ...ofPredictions,
        'metric',
        'against',
      ]),
    )
    .addOption(
      new Option('--score <column>', 'grades: the mean of those that people would give').conflicts([
        ...ofPredictions,
        ...aboutClasses.slice(1),
        'confidence',
        'classes',
        'judge',
      ]),
    )
    .option('--range <least..most>', 'with --score: what grades can be, such as 1..5', gradeRange)
    .addOption(
      new Option('--models <columns>', 'predictions of several models, separated by commas: which is the best?')
        .argParser(names)
        .conflicts([
          ...ofPredictions,
          ...aboutClasses,
          'confidence',
          'judge',
          'score',
          'by',
          'together',
          'tolerance',
          'below',
          'strategy',
        ]),
    )
    .option('--within <number>', 'with --models: how much better another may be (default: 0.01)', numberIn(0, 1, { open: true }))
    .addOption(
      new Option(
        '--alone <names>',
        'with --against: metrics of the first model by itself that are measured too, separated by commas',
      ).argParser(metricsIn),
    )
    .option('--first', 'the goal is that of the first question; the others are told as far as its answers go')
    .option('--truth <column>', 'the column that answers (a simulation)')
    .option('--show <columns>', 'what whoever answers gets to see (default: all that gives no answer away)', names)
    .option('--classes <names>', 'classes an answer may name that no prediction does, separated by commas', names)
    .option('--id <column>', 'names the points (default: a column called id, or else the row number)')
}
