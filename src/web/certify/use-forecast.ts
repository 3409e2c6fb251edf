import type { Forecast, Goal } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../api/use-loaded.ts'
import { useDelayed } from '../parts/use-delayed.ts'

const pause = 150 // while a slider moves, the server is not asked

/** The forecast for a goal; the last one known while a new one is on its way or cannot be had. */
export function useForecast(goal: Omit<Goal, 'budget'> | undefined): Forecast | undefined {
  const wish = useDelayed(goal && JSON.stringify(goal), pause)
  return useLoaded(wish === undefined ? undefined : () => api.forecast(JSON.parse(wish)), wish).value
}
