import { useEffect, useState } from 'react'
import type { Forecast, Goal } from '../../protocol/project.ts'
import { api } from '../api/client.ts'

const pause = 150 // while a slider moves, nobody is asked

/** The forecast for a goal; the last one known while a new one is on its way or cannot be had. */
export function useForecast(goal: Pick<Goal, 'tolerance' | 'below' | 'level'> | undefined): Forecast | undefined {
  const [forecast, setForecast] = useState<Forecast>()
  const { tolerance, below, level } = goal ?? {}
  useEffect(() => {
    if (level === undefined) return
    let isWanted = true
    const timer = setTimeout(async () => {
      const wish = { level, ...(tolerance !== undefined && { tolerance }), ...(below !== undefined && { below }) }
      const found = await api.forecast(wish).catch(() => undefined)
      if (isWanted && found) setForecast(found)
    }, pause)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [tolerance, below, level])
  return forecast
}
