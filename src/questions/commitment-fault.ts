import { isOfRound } from '../core/drand.ts'
import { timeOfRound } from '../core/drand-rounds.ts'
import { pick } from '../core/pick.ts'
import { type Certificate, firstDifference } from './certificate.ts'
import { type Commitment, type Committed, commitmentOf, seedFrom } from './commitment.ts'

/** What is wrong with a commitment, before anything is known of its audit. */
export function faultOfCommitment(commitment: Commitment): string | undefined {
  const { format: _, seal: __, ...content } = commitment
  const wrong = firstDifference(commitment, commitmentOf(content))
  if (wrong) return `commitment: ${wrong}`
  const { beacon, made } = commitment
  if (Number.isNaN(Date.parse(made))) return `commitment: made: a time is required, got ${JSON.stringify(made)}`
  if (beacon.kind === 'text') {
    const isText = typeof beacon.what === 'string' && beacon.what.trim() !== ''
    return isText ? undefined : 'commitment: beacon: what it is must be said, got nothing'
  }
  const isRound = beacon.kind === 'drand' && Number.isSafeInteger(beacon.round) && beacon.round >= 1
  if (!isRound) return `commitment: beacon: a round of drand or a text is required, got ${JSON.stringify(beacon)}`
  const time = timeOfRound(beacon.round).toISOString()
  if (beacon.time !== time) return `commitment: beacon.time: must be ${time}, got ${beacon.time}`
  if (made < time) return undefined
  return `commitment: made: a time before that of its round, ${time}, is required, got ${made}: the value was known by then`
}

/** The same with the value that came out. */
export function faultOfValue({ commitment, value }: Committed): string | undefined {
  const { beacon } = commitment
  if (typeof value !== 'string' || value === '' || value !== value.trim())
    return `beacon: a value is required, got ${JSON.stringify(value)}`
  if (beacon.kind === 'text' || isOfRound(beacon.round, value)) return undefined
  return `beacon: what drand signed round ${beacon.round} with is required, got ${JSON.stringify(value)}`
}

/** What in a certificate is not as it was committed to. */
export function departure(certificate: Certificate): string | undefined {
  const { committed, rounds, seed, seedChosen } = certificate
  if (!committed) return undefined
  const { commitment, value } = committed
  const own = faultOfCommitment(commitment) ?? firstDifference(committed, { commitment, value }) ?? faultOfValue(committed)
  if (own) return `committed: ${own}`
  const { questions, race, goal, batch, strategy, ...about } = commitment
  const [first] = rounds
  const { rules } = first!
  const isWhole = rounds.every((round, k) => round.size === batch || round.rules.isPlain || isLast(certificate, k))
  return (
    firstDifference(seed, seedFrom(committed), 'seed') ??
    firstDifference(seedChosen, false, 'seedChosen') ??
    firstDifference(
      pick(certificate, 'pool', 'model', 'columns', 'classes'),
      pick(about, 'pool', 'model', 'columns', 'classes'),
      '',
    ) ??
    firstDifference(first!.strategy, strategy, 'rounds.0.strategy') ??
    firstDifference(
      rules.questions.map(({ question }) => question),
      questions,
      'rounds.0.rules.questions',
    ) ??
    firstDifference(rules.race, race, 'rounds.0.rules.race') ??
    firstDifference(rules.goal, goal, 'rounds.0.rules.goal') ??
    (isWhole && rounds.every(({ size }) => size <= batch)
      ? undefined
      : `rounds: ${batch} answers a round are required, as committed to`)
  )
}

/** Whether a round ended where a budget did, or the pool. */
function isLast({ rounds, pool }: Certificate, k: number): boolean {
  const { rules, size } = rounds[k]!
  const before = rounds.slice(0, k).reduce((sum, { draws }) => sum + draws.length, 0)
  const given = rounds.slice(0, k + 1).reduce((sum, round) => sum + round.given.length, 0)
  return before + size === rules.goal.budget || before + given + size === pool.size
}
