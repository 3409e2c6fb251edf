/** What is known of a point before its answer, as a metric sees it: classes by their place. */
export interface Known {
  readonly predicted: number
  /** What another model predicts; the same as `predicted` where there is none. */
  readonly other: number
}

/** What a metric is asked about. */
export interface MetricContext {
  /** Place of the class in question; −1: none. For a cell of the confusion matrix, the class that is predicted. */
  readonly positive: number
  /** For a cell of the confusion matrix, the place of the class that is answered. */
  readonly actual?: number | undefined
  /** c: the share of the points asked about that the model puts in each class. */
  readonly shares: readonly number[]
  /** Of grades: the least and the most that can be given. */
  readonly range: readonly [number, number]
}

/** What an answer adds to numerator and denominator. */
export interface Worth {
  readonly num: number
  readonly den: number
}

/** What an answer to a point is worth. The answer is the place of a class; where answers are grades, the grade. */
export type WorthOf = (known: Known, answer: number, context: MetricContext) => Worth

/** How values are written: 4.2 %, +1.3 percentage points, 0.71. */
export type MetricUnit = 'share' | 'points' | 'number'

/** What a sentence is about. */
export interface Subject {
  /** How many points, as people read it. */
  readonly points: string
  readonly positive: string | undefined
  readonly actual?: string | undefined
}

/** What stands before and after "between 3 % and 5 %". */
export type Around = readonly [before: string, after: string]

/**
 * Something that can be asked of a pool:  F = Σ num / Σ den  over its points. It says what an answer is worth, what it needs and how
 * people read of it; how points are drawn and limits computed for it is decided elsewhere, from this alone.
 *
 * @see docs/equations.md#metrics
 */
export interface MetricDefinition {
  /** What prose calls it. */
  readonly word: string
  /** A class to be named; two of them, predicted and answered; another model's predictions; answers that are grades. */
  readonly needs?: 'class' | 'two classes' | 'other model' | 'grades'
  /** num and den of a point, given its answer. Of a mean over classes: for the class in question. */
  readonly worth: WorthOf
  /** F lies between these for certain. For grades the range is theirs: see `rangeOf`. */
  readonly range: readonly [number, number]
  /** How the variance of a draw depends on F, if not as for a mean of 0 and 1: f(1 − f)(2 − f). */
  readonly shape?: 'f1'
  /** The metric of the predictions minus that of another model's, where this is a ratio of sums too. It lies between −1 and 1. */
  readonly difference?: WorthOf
  /** It is the mean of this metric over all classes. */
  readonly meanOver?: 'f1' | 'recall'
  /** Where F says how many of the points are wrong, whether it counts these or the others. */
  readonly errors?: 'counted' | 'left out'
  /** Whether one can ask for it to be below a value. */
  readonly hasCeiling?: true
  /** A share, if left out. */
  readonly unit?: MetricUnit
  claim(subject: Subject): Around
  /** The claim as the page words it, where it does so differently. */
  pageClaim?(subject: Subject): Around
  /** What a row of a table calls it, if not "recall of spam". */
  label?(positive: string, actual: string | undefined): string
  /** The same in words that need no statistics: "Of those that are spam, it finds". */
  plain?(positive: string | undefined, actual?: string): string
  /** What the scale of a picture of it is of. */
  scale(positive: string | undefined, actual?: string): string
  /** Of whose predictions: "the share of points that are spam", if not "the recall of the predictions for spam". */
  ofWhat?(whose: string, positive: string | undefined, actual?: string): string
  /** What intervals for it may miss, if not "the true recall". */
  readonly quantity?: string
  /** What a certificate of it leaves open, if not which points are wrong. */
  readonly leavesOpen?: string
}

/** [.]: 1 if it is so, 0 if not. */
export function indicator(holds: boolean): 0 | 1 {
  return holds ? 1 : 0
}

/** What an answer adds to a mean over all points. */
export function ofEach(num: number): Worth {
  return { num, den: 1 }
}

/** What an answer adds to a mean over some points, given whether this is one of them. */
export function among(isOne: boolean, num: number): Worth {
  return isOne ? { num, den: 1 } : nothing
}

/** What a point adds that does not count. */
const nothing: Worth = { num: 0, den: 0 }
