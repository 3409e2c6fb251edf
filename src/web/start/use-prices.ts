import { useEffect, useRef, useState } from 'react'
import type { Prices } from '../../protocol/audits.ts'
import { api, Failure } from '../api/client.ts'
import { type AuditDraft, auditProblems, isAsked, wishesOf } from './audit-draft.ts'
import { usualGoal } from './goal-prices.ts'
import type { FileInspection } from './use-draft.ts'

/** What the audit would cost as it is described now; asked for anew a moment after what matters was changed. */
export function usePrices(draft: AuditDraft, { path, rows }: FileInspection['inspection']) {
  const [prices, setPrices] = useState<Prices>()
  const [failure, setFailure] = useState<Failure>()
  const [isPricing, setIsPricing] = useState(false)
  const problems = auditProblems(draft)
  const isWhole = !problems.columns && !problems.level && !isAsked('best', draft)
  const { seed: _, ...asked } = { ...wishesOf({ ...draft, goal: 0.1, more: new Set() }, rows), seed: 0 }
  const key = JSON.stringify(asked)
  useEffect(() => {
    if (!isWhole) return
    let isWanted = true
    setIsPricing(true)
    const timer = setTimeout(async () => {
      try {
        const found = await api.price({ path, audit: asked })
        if (isWanted) setPrices(found)
        if (isWanted) setFailure(undefined)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (isWanted) setFailure(error)
      } finally {
        if (isWanted) setIsPricing(false)
      }
    }, 200)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key, isWhole])
  return { prices, failure, isPricing }
}

/** The goal that fits the file, once it is known what goals cost. */
export function useUsualGoal(prices: Prices | undefined, rows: number, onGoal: (goal: number | 'all') => void): void {
  const isSet = useRef(false)
  useEffect(() => {
    if (!prices || isSet.current) return
    isSet.current = true
    if (prices.prices.length > 0) onGoal(usualGoal(prices.prices, rows))
  }, [prices])
}
