/** What is true of a point, given an answer to it: each is 0 or 1. */
export interface Judged {
  /** Whether the prediction is wrong, and that of the other model. */
  readonly wrong: number
  readonly otherWrong: number
  /** Whether the point is predicted to be of the class in question, and whether it is. */
  readonly predicted: number
  readonly positive: number
}

/** What a sentence is about. */
export interface Subject {
  /** How many points, as people read it. */
  readonly points: string
  readonly positive: string | undefined
}

/** What stands before and after "between 3 % and 5 %". */
export type Around = readonly [before: string, after: string]

/**
 * Something an audit can measure:  F = Σ num / Σ den  over the pool. It says what an answer is worth, what it needs and how people read
 * of it; how points are drawn and limits computed for it is decided elsewhere, from this alone.   @see docs/equations.md#measures
 */
export interface MetricDefinition {
  /** What prose calls it. */
  readonly word: string
  /** A class to be named, whose chance is what scores stand for, in place of the chance of an error; or another model's predictions. */
  readonly needs?: 'class' | 'other model'
  /** Whether one can ask for it to be below a value. */
  readonly hasCeiling?: true
  num(judged: Judged): number
  /**
   * 1 if left out: F is a mean. A ratio has  num = predicted · positive  and  den = a · predicted + (1 − a) · positive,  which is what
   * limits can be computed for.
   */
  den?(judged: Judged): number
  /** For a mean, the value of num that counts as 0, and the one that counts as 1; others lie between. [0, 1] if left out. */
  readonly ends?: readonly [number, number]
  claim(subject: Subject): Around
  /** The claim as the page words it, where it does so differently. */
  pageClaim?(subject: Subject): Around
  /** What the scale of a picture of it is of. */
  scale(positive: string | undefined): string
  /** Of whose predictions: "the share of points that are spam", if not "the recall of the predictions for spam". */
  ofWhat?(whose: string, positive: string | undefined): string
  /** What intervals for it may miss, if not "the true recall". */
  readonly quantity?: string
  /** What a certificate of it leaves open, if not which points are wrong. */
  readonly leavesOpen?: string
}
