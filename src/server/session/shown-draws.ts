import type { Project } from '../../stores/project.ts'
import type { RecordedRound } from './record.ts'

/** How far a round has been shown, as it is on record. */
interface KeptShown {
  readonly round: number
  readonly draws: number
}

/**
 * How many draws of a round may have been seen, in draw order: the rest was not shown, and a round may end before it. Of a round that was
 * open when the server began, the draw after the last answer counts as seen.
 */
export async function openShownDraws(project: Pick<Project, 'recall' | 'remember'>, open: RecordedRound | undefined) {
  const kept = await project.recall<KeptShown>('shown')
  let now: KeptShown = { round: -1, draws: 0 }
  if (open) now = { round: open.round, draws: Math.max(answered(open) + 1, kept?.round === open.round ? kept.draws : 0) }

  return {
    /** A page shows this point now. What answers do not tell after a restart goes on record. */
    see(round: RecordedRound, id: string): void {
      const draws = 1 + [...round.ids].indexOf(id)
      if (draws <= (now.round === round.round ? now.draws : 0)) return
      now = { round: round.round, draws }
      if (draws > answered(round) + 1) void project.remember('shown', now)
    },
    drawsOf(round: RecordedRound): number {
      const seen = now.round === round.round ? now.draws : 0
      return Math.min(round.draws.length, Math.max(seen, answered(round)))
    },
  }
}

/** Draws up to the last one with an answer. */
const answered = ({ ids, answers }: RecordedRound): number => 1 + [...ids].findLastIndex((id) => answers.has(id))
