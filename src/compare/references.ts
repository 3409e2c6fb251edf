/** Where strategies come from, for those who want to read on. */
export const references: Readonly<Partial<Record<string, string>>> = {
  uncertainty: 'Lewis & Gale 1994, A sequential algorithm for training text classifiers',
  paper: 'Pydi & Lokhande 2019, Active learning with importance sampling, Algorithm 1 to the letter',
  'paper-all': 'Pydi & Lokhande 2019, Active learning with importance sampling; every label kept',
  'paper-replacement': 'Pydi & Lokhande 2019, Active learning with importance sampling; drawn with replacement',
  iwal: 'Beygelzimer, Dasgupta & Langford 2009, Importance weighted active learning; Beygelzimer, Hsu, Langford & Zhang 2010, Agnostic active learning without constraints',
  'core-set': 'Sener & Savarese 2018, Active learning for convolutional neural networks: a core-set approach',
  bmdr: 'Wang & Ye 2015, Querying discriminative and representative samples for batch mode active learning',
}
