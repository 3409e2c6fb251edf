import { answersToHalfWidth } from '../../certificates/running-forecast.ts'
import { changeSince, type KeptLook, standOf } from '../../core/now.ts'
import { isFor } from '../../core/record.ts'
import type { Look, Now } from '../../protocol/now.ts'
import { isTooEarly } from '../../text/now.ts'
import type { ForecastInputs } from '../worker/audit-forecast.ts'
import type { RecordedRound } from './record.ts'
import type { SessionState } from './state.ts'

const tolerances = [0.1, 0.05, 0.03]

/** What looks at the models of the project have said, as pages show it. */
export function nowView(state: SessionState): Now {
  const { record, loaded, pace } = state
  const standing = state.looks.filter(({ rounds }, k) => state.looks[k + 1]?.rounds !== rounds) // the last of each moment
  const looks = standing.flatMap((look) => lookView(look, record.rounds))
  const newest = looks.at(-1)
  const said = looks.filter(({ counted }) => !isTooEarly({ answers: counted }))
  const points = loaded?.points ?? 0
  return {
    looks,
    isBehind: isBehind(state),
    goals: tolerances.map((tolerance) => {
      const isReached = newest !== undefined && said.at(-1) === newest && newest.high - newest.low <= 2 * tolerance
      const more = isReached ? undefined : answersToHalfWidth(said, tolerance, points)
      return { tolerance, isReached, ...(more && { more }) }
    }),
    pace: pace.seconds(loaded?.view.kind ?? 'row'),
  }
}

/** What a forecast of the newest model's audit rests on: what it expects of itself, and the range that is known already. */
export function forecastInputsOf(state: SessionState): ForecastInputs | undefined {
  const { forecastInputs, models, looks, certificates } = state
  const newest = models.at(-1)?.id
  if (!forecastInputs || forecastInputs.model !== newest) return undefined
  const certified = certificates.newestModel() === newest ? certificates.summaries().at(-1) : undefined
  const range = certified ?? looks.findLast(({ model, now }) => model === newest && now !== null)?.now
  if (!range || range.low === null || range.high === null) return forecastInputs
  return { ...forecastInputs, known: Math.max(1e-6, (range.high - range.low) / 2) }
}

/** Whether the last look does not know of the newest model, or of answers as they stand now. */
export function isBehind({ looks, models, record, loaded }: SessionState): boolean {
  const newest = models.at(-1)
  if (!newest || !loaded) return false
  const last = looks.at(-1)
  const change = last && changeSince(last, standOf(record.rounds, { model: newest.id, poolSize: loaded.points }))
  return !last || (change !== undefined && change !== 'more answers') || last.model !== newest.id
}

function lookView({ model, rounds: known, revisions, now }: KeptLook, rounds: readonly RecordedRound[]): Look[] {
  if (!now) return []
  const before = rounds.slice(0, known)
  const { value, low, high, level, answers: counted, points } = now
  return [
    {
      model,
      after: before.filter((round) => isFor('learn', round)).length,
      answers: before.filter((round) => !isFor('given', round)).reduce((sum, { answers }) => sum + answers.size, 0),
      ...{ value, low, high, level, counted, points },
      isRevised: before.reduce((sum, round) => sum + round.revisions.length, 0) > revisions,
    },
  ]
}
