/** How many features a pool has of each kind, one kind after another. */
export interface FeatureBlocks {
  /** Of its columns. */
  readonly base: number
  /** Similarities to landmarks. */
  readonly landmarks: number
  /** Which cuts a feature is above. */
  readonly cuts: number
  /** Whether zeros are left out: such features are those of the columns alone. */
  readonly isSparse: boolean
}

/** What further features a pool is to have at most; 0 for none. */
export interface StepWish {
  readonly landmarks: number
  /** For each feature of the columns. */
  readonly cuts: number
  /** Bytes that all features of the pool may take, in memory or on disk. */
  readonly bytes: number
}
