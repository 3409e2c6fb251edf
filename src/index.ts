export { type AuditPlan, type AuditRound, audit } from './audit.ts'
export { bernoulliVariance, type Decomposition, decomposition, multinomialVariance } from './bounds/decomposition.ts'
export { bernsteinSwitch, boundConstant, boundMass, type PaperBound, paperBound } from './bounds/paper-bound.ts'
export { paperDistribution } from './bounds/paper-distribution.ts'
export { repairedBound } from './bounds/repaired-bound.ts'
export {
  type AuditEstimate,
  type AuditedPoint,
  type AuditOffer,
  AuditStream,
  type AuditStreamOptions,
} from './certificates/audit-stream.ts'
export {
  type BatchDraw,
  type BatchEvidence,
  BatchInterval,
  type BatchIntervalOptions,
  type BatchTotals,
} from './certificates/batch-interval.ts'
export {
  DrawInterval,
  type DrawIntervalOptions,
  type DrawnLoss,
  type Interval,
  type RoundTotals,
} from './certificates/draw-interval.ts'
export type { Forecast } from './certificates/forecast.ts'
export type { IntervalState, QuestionAnswer } from './certificates/question-answer.ts'
export {
  type RatioDraw,
  RatioInterval,
  type RatioIntervalOptions,
  type RatioTotals,
} from './certificates/ratio-interval.ts'
export { streamInterval } from './certificates/stream-interval.ts'
export type { Belief, BeliefFormulas, Reader } from './core/belief.ts'
export { type ChanceSums, chanceModel, chanceSums, identityOfPoints, scoresOfChances } from './core/chances.ts'
export type { Draw, PoolDraw } from './core/draw.ts'
export { AlisError, type ErrorCode } from './core/errors.ts'
export { dense, type FeatureRows, type SparseColumns, sparse } from './core/features.ts'
export type { Formula } from './core/formula.ts'
export * as formula from './core/formula.ts'
export { scaleFromLargest } from './core/inclusion-scale.ts'
export {
  blankModel,
  type ColumnModel,
  type LearnedModel,
  type LinearModel,
  linearModel,
  type Model,
  modelFromJson,
} from './core/model.ts'
export type { KeptLook, Now } from './core/now.ts'
export { hashIds, type PointHashes, type Stream, type Uniforms, uniform, uniformsOf } from './core/randomness.ts'
export type { Label, Revision, RoundFacts, RoundOpening, RunFacts } from './core/record.ts'
export type { StratifiedPool, Stratify, Stratum } from './core/strata.ts'
export type { Survey } from './core/survey.ts'
export type { TreesModel } from './core/trees-model.ts'
export { bernoulli } from './designs/bernoulli.ts'
export type { Design } from './designs/design.ts'
export { inclusionProbabilities, inclusionScale, type Tally, tally } from './designs/inclusion.ts'
export { multinomial } from './designs/multinomial.ts'
export { successive } from './designs/successive.ts'
export { top } from './designs/top.ts'
export type { Content, DrawRequest, DrawResult, Engine, Prediction, SurveyRequest } from './engines/engine.ts'
export { grownSubject } from './engines/grown-subject.ts'
export { type MemoryPool, memoryEngine } from './engines/memory.ts'
export { type OwnPoints, type OwnPool, ownPool } from './engines/own-pool.ts'
export { type GradedPoints, gradesSubject, type PredictedPoints, predictionsSubject } from './engines/prediction-subject.ts'
export { type ScoredPool, type ScoreSnapshot, scoredPool } from './engines/scored-pool.ts'
export { type AppliedRecipe, applyRecipe } from './features/apply.ts'
export { type BuiltFeatures, type FeatureBuilder, featureBuilder } from './features/builder.ts'
export type { Recipe } from './features/recipe.ts'
export { type ColumnRole, type Roles, rolesOf, type Wishes } from './features/roles.ts'
export { type ImportedLabels as Given, importLabels as give, type LabelImport as Giving } from './import-labels.ts'
export { autoLearner, type Candidate } from './learners/auto.ts'
export { learners } from './learners/catalogue.ts'
export { columnsLearner } from './learners/columns-learner.ts'
export type { Learner, LearnerOptions, TrainingSet } from './learners/learner.ts'
export {
  logisticLearner,
  type MarginOptions,
  marginLearner,
  squaredHingeLearner,
  squaredLearner,
} from './learners/margin-learner.ts'
export { multinomialLearner } from './learners/multinomial.ts'
export { type OwnFit, type OwnLabel, type OwnScores, ownLearner, type ScoreKeeper } from './learners/own-learner.ts'
export { type TreesOptions, treesLearner } from './learners/trees.ts'
export { type LearnPlan, learn, type Round, type RoundNow } from './loop.ts'
export { losses } from './losses/catalogue.ts'
export { type ClassLoss, crossEntropy } from './losses/cross-entropy.ts'
export { errorOf } from './losses/error.ts'
export { exponential } from './losses/exponential.ts'
export { hinge } from './losses/hinge.ts'
export { logistic } from './losses/logistic.ts'
export type { Curvature, LearnableLoss, Loss } from './losses/loss.ts'
export { squared } from './losses/squared.ts'
export { squaredHinge } from './losses/squared-hinge.ts'
export { zeroOne } from './losses/zero-one.ts'
export { doubt } from './masses/doubt.ts'
export { entropy } from './masses/entropy.ts'
export { expectedError, expectedLoss } from './masses/expected-loss.ts'
export { marginRank } from './masses/margin-rank.ts'
export { type Census, type FormBeliefFormulas, type Ingredient, type Mass, type MassPart, mixture, pure } from './masses/mass.ts'
export { pseudoLoss } from './masses/pseudo-loss.ts'
export { pseudoLossLinear } from './masses/pseudo-loss-linear.ts'
export { steepRank } from './masses/steep-rank.ts'
export { uniformMass } from './masses/uniform.ts'
export { variance } from './masses/variance.ts'
export { withFloor } from './masses/with-floor.ts'
export { type Metric, metrics, type RatioMetric } from './metrics/catalogue.ts'
export type { Known, MetricContext, MetricDefinition, WorthOf } from './metrics/metric.ts'
export { columnOracle } from './oracles/column.ts'
export type { Answer, Oracle } from './oracles/oracle.ts'
export { type AskedAnswer, type AskOptions, ask, askAll } from './questions/ask.ts'
export { auditRecord } from './questions/audit-rounds.ts'
export type { BeliefRule } from './questions/beliefs.ts'
export { type Certificate, certificateOf, certificateText, firstDifference } from './questions/certificate.ts'
export type { Frame, SliceColumn, Strata } from './questions/frame.ts'
export type { MassRule } from './questions/masses.ts'
export { askBest, type BestModel } from './questions/race.ts'
export type { AuditRecord, AuditRules, Goal, RaceSpec, RecordedDraw, RecordedRound } from './questions/record.ts'
export { firstFault } from './questions/replay.ts'
export type { AuditedQuestion, AuditStrategy } from './questions/rules.ts'
export { type Sample, sample } from './questions/sample.ts'
export { type QuestionOptions, type QuestionSpec, question } from './questions/spec.ts'
export type { AuditSubject } from './questions/subject.ts'
export type { GivenPrediction } from './running/given-predictions.ts'
export { modelSubject } from './running/model-subject.ts'
export { type GivenNow, type Running, type RunningSource, running } from './running/running.ts'
export { memoryStore } from './stores/memory.ts'
export type { GrowingStore, KeptModel, Store } from './stores/store.ts'
export { type AlisOptions, alisStrategy } from './strategies/alis.ts'
export { type BmdrOptions, bmdrStrategy } from './strategies/bmdr.ts'
export { strategies } from './strategies/catalogue.ts'
export { type IwalOptions, iwalStrategy, queryProbability } from './strategies/iwal.ts'
export { VersionSpace, type VersionSpaceOptions } from './strategies/iwal-reference.ts'
export type { Estimate } from './strategies/round-estimate.ts'
export type { PoolView, Selector } from './strategies/selector.ts'
export type { FormContext, Strategy, Suited } from './strategies/strategy.ts'
export { type WeightHealth, weightHealth } from './weights/health.ts'
export { lureWeights } from './weights/lure.ts'
export { poolMean } from './weights/pool-mean.ts'
export { type RoundRecord, roundWeights } from './weights/rounds.ts'
export { tempered } from './weights/tempered.ts'
