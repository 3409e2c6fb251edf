import type { BadInput } from '../case.ts'

const audit = 'audit predictions.csv --prediction guess --confidence p --truth y --project new.alis --certificate new.json'
const help = 'alis audit --help shows what there is.'
const rows = (...lines: string[]) => ['id,guess,p,y', ...lines, ''].join('\n')

const refused = (option: string, value: string, required: string): BadInput => ({
  name: `${option} ${value}`,
  command: `${audit} ${option} ${value}`,
  message: `${option}: ${required} is required, got "${value}"`,
  hint: help,
})

/** Predictions that cannot be audited, and goals that cannot be reached. */
export const audits: readonly BadInput[] = [
  {
    name: 'a confidence in per cent',
    files: { 'predictions.csv': rows('a,cat,90,cat', 'b,dog,80,cat') },
    command: audit,
    message: 'p: a number in [0, 1] is required, got 90 in row 1',
    hint: 'A percentage? Divide it by 100.',
  },
  {
    name: 'a confidence below 0',
    files: { 'predictions.csv': rows('a,cat,0.9,cat', 'b,dog,-0.5,cat') },
    command: audit,
    message: 'p: a number in [0, 1] is required, got -0.5 in row 2',
    hint: 'A percentage? Divide it by 100.',
  },
  {
    name: 'a confidence that is missing',
    files: { 'predictions.csv': rows('a,cat,0.9,cat', 'b,dog,,cat') },
    command: audit,
    message: 'p: a number in [0, 1] is required, got nothing in row 2',
    hint: 'Leave out confidences if some are not known.',
  },
  {
    name: 'a confidence that is a word',
    files: { 'predictions.csv': rows('a,cat,high,cat', 'b,dog,0.8,cat') },
    command: audit,
    message: 'predictions.csv: column "p" must hold finite 32-bit numbers, got "high" in row 1',
    hint: 'Leave a cell empty if its value is missing.',
  },
  {
    name: 'a row without a prediction',
    files: { 'predictions.csv': rows('a,cat,0.9,cat', 'b,,0.8,cat') },
    command: audit,
    message: 'guess: every row needs a prediction, got none in row 2',
    hint: 'Leave out rows without one.',
  },
  {
    name: 'no column of predictions',
    command: audit.replace('--prediction guess', ''),
    message: 'prediction: a column is required, got none',
    hint: 'Name it with --prediction.',
  },
  {
    name: 'a column of predictions that is not there',
    command: audit.replace('guess', 'gues'),
    message: 'predictions.csv: must have the column that is asked for, got "gues"',
    hint: 'Did you mean "guess"?',
  },
  {
    name: 'a column of truth that is not there',
    command: audit.replace('--truth y', '--truth answer'),
    message: 'predictions.csv: must have the column that is asked for, got "answer"',
    hint: 'The columns are id, guess, p, y.',
  },
  refused('--tolerance', '0', 'a positive number'),
  refused('--below', '2', 'a number in (-1, 1)'),
  refused('--level', '1', 'a number in (0.5, 1)'),
  {
    name: 'a ceiling below 0 for an error',
    command: `${audit} --below -0.1`,
    message: '--below: a number in (0, 1) is required, got -0.1',
  },
  {
    name: 'a ceiling for what has none',
    command: `${audit} --metric recall --positive cat --below 0.1`,
    message: '--below: error, prevalence or a difference is required, got recall',
    hint: 'Set a --tolerance or a --budget.',
  },
  {
    name: 'a tolerance and a ceiling',
    command: `${audit} --tolerance 0.1 --below 0.2`,
    message: '--below: must stand without --tolerance, got both',
    hint: help,
  },
  {
    name: 'an unknown metric',
    command: `${audit} --metric recal --positive cat`,
    message:
      '--metric: one of error, accuracy, balanced-accuracy, precision, recall, f1, macro-f1, prevalence, confusion, kappa, tpr, tnr, mean, difference is required, got "recal"',
    hint: 'Did you mean "recall"?',
  },
  {
    name: 'a metric about a class, and no class',
    command: `${audit} --metric recall`,
    message: 'positive: one of cat, dog is required for recall, got none',
    hint: 'Name it with --positive or as recall:cat, or ask for all with --each-class.',
  },
  {
    name: 'a metric about a class that there is not',
    command: `${audit} --metric f1 --positive cow`,
    message: 'positive: one of cat, dog is required for f1, got cow',
    hint: 'Name it with --positive or as f1:cat, or ask for all with --each-class.',
  },
  {
    name: 'a metric about a class that there is not, after a colon',
    command: `${audit} --metric error,recall:catt`,
    message: 'metric: one of cat, dog is required after recall:, got catt',
    hint: 'Did you mean "cat"?',
  },
  {
    name: 'one metric of several that is unknown',
    command: `${audit} --metric error,kapa`,
    message: /^--metric: one of error, .* is required, got "kapa"$/,
    hint: 'Did you mean "kappa"?',
  },
  {
    name: 'a class for a metric that is about none',
    command: `${audit} --metric kappa:cat`,
    message: 'metric: kappa without a class is required, got kappa:cat',
  },
  {
    name: 'a cell of the confusion matrix without its classes',
    command: `${audit} --metric confusion`,
    message: 'metric: two of cat, dog are required for confusion, got none',
    hint: 'The class that is predicted comes first, as in confusion:cat:dog; --each-class asks for every cell.',
  },
  {
    name: 'each class and one of them',
    command: `${audit} --metric recall --each-class --positive cat`,
    message: '--each-class: must stand without --positive, got both',
    hint: help,
  },
  {
    name: 'each class of what is about none',
    command: `${audit} --metric error --each-class`,
    message: '--each-class: a metric about a class is required, got error',
    hint: 'Name it with --metric: precision, recall, f1, prevalence, confusion, tpr or tnr.',
  },
  {
    name: 'slices by a column that is not there',
    command: `${audit} --by langauge`,
    message: 'predictions.csv: must have the column that is asked for, got "langauge"',
    hint: 'The columns are id, guess, p, y.',
  },
  {
    name: 'a difference from nothing',
    command: `${audit} --metric difference`,
    message: '--metric: difference needs another model, got none',
    hint: 'Name the column of its predictions with --against.',
  },
  {
    name: 'a difference that is no ratio of sums',
    command: `${audit} --metric kappa --against guess`,
    message: '--against: a metric whose difference is a ratio of sums is required, got kappa',
    hint: 'Ask for error, accuracy, recall, tpr or tnr, or for each model by itself.',
  },
  {
    name: 'a ceiling for one of several that has none',
    command: `${audit} --metric error,kappa --below 0.1`,
    message: '--below: error, prevalence or a difference is required, got kappa',
    hint: 'Set a --tolerance or a --budget.',
  },
  {
    name: 'a tolerance that leaves everything open',
    command: `${audit} --tolerance 1`,
    message: '--tolerance: a number in (0, 1) is required, got 1',
  },
  {
    name: 'a tolerance that needs no answer',
    command: `${audit} --tolerance 0.6`,
    message: 'audit: a goal that takes answers is required, got one that is reached without any',
    hint: 'Set a smaller tolerance or a lower ceiling.',
  },
  {
    name: 'a judge and predictions',
    command: `${audit} --judge guess`,
    message: '--judge: must stand without --prediction, got both',
    hint: help,
  },
  {
    name: 'a judge whose verdicts do not say what passes',
    command: 'audit predictions.csv --judge guess --truth y --project new.alis',
    message: 'positive: the verdict of those that pass is required, got none among cat, dog',
    hint: 'Name it with --positive.',
  },
  {
    name: 'grades without their range',
    command: 'audit predictions.csv --score p --truth y --project new.alis',
    message: '--range: what grades can be is required with --score, got nothing',
    hint: 'For example --range 1..5.',
  },
  {
    name: 'a range the wrong way round',
    command: 'audit predictions.csv --score p --range 5..1 --truth y --project new.alis',
    message: '--range: two numbers, the least first, are required, as in 1..5, got "5..1"',
    hint: help,
  },
  {
    name: 'grades outside their range',
    command: 'audit predictions.csv --score p --range 0..0.8 --truth p --project new.alis',
    message: /^p: a number (from 0 to|in \[0,) 0\.8\]? is required, got /,
  },
  {
    name: 'a metric of classes for grades',
    command: 'audit predictions.csv --score p --range 0..1 --truth p --metric error --project new.alis',
    message: '--metric: mean is required with --score, got error',
  },
  {
    name: 'the best of one',
    command: 'audit predictions.csv --models guess --truth y --project new.alis',
    message: '--models: two columns or more are required, got 1',
    hint: 'One model is measured with --prediction.',
  },
  {
    name: 'several models and a tolerance',
    command: 'audit predictions.csv --models guess,y --truth y --tolerance 0.1 --project new.alis',
    message: '--models: must stand without --tolerance, got both',
    hint: help,
  },
  {
    name: 'a margin without models',
    command: `${audit} --within 0.1`,
    message: '--within: needs --models, got none',
  },
  {
    name: 'a report where no directory is',
    command: `${audit} --report nowhere/new.html`,
    message: 'nowhere/new.html: must be in a directory, got none called nowhere',
    hint: 'Choose another with --report.',
  },
  {
    name: 'ask: a project that has drawn nothing',
    command: 'ask known.alis',
    message: /^.*known\.alis: must have a model that was measured, got none yet$/,
    hint: 'alis certify measures it; what was measured by an older release has no record that can be asked.',
  },
  {
    name: 'ask: slices of a project that learns',
    command: 'ask known.alis --by size',
    message: '--by: a project that audits predictions is required, got one that learns',
    hint: 'Export its predictions and audit them for slices and comparisons.',
  },
  {
    name: 'ask: an unknown class',
    command: 'ask audited.alis --metric recall:cow',
    message: 'metric: one of cat, dog is required after recall:, got cow',
  },
  {
    name: 'ask: no project',
    command: 'ask none.alis --metric recall',
    message: 'project: a project is required, got none.alis',
    hint: 'Check the name, or begin a project there.',
  },
  {
    name: 'assess: no column of predictions',
    command: 'assess known.alis pool.csv',
    message: 'prediction: a column of the file is required, got "prediction"',
    hint: /^Its columns are .*\. Name one with --prediction\.$/,
  },
  {
    name: 'assess: no such class',
    command: 'assess known.alis pool.csv --prediction id',
    message: /^predictions: one of .* is required, got ".*" for ".*"$/,
  },
  {
    name: 'a certificate where no directory is',
    command: audit.replace('new.json', 'nowhere/new.json'),
    message: 'nowhere/new.json: must be in a directory, got none called nowhere',
    hint: 'Choose another with --certificate.',
  },
  {
    name: 'a certificate in place of a directory',
    files: { 'folder/notes.txt': 'mine' },
    command: audit.replace('new.json', 'folder'),
    message: 'folder: must be a file to write, got a directory',
    hint: 'Choose another with --certificate.',
  },
]
