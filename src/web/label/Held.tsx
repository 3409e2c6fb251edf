import type { ReactNode } from 'react'
import { useAfter } from '../parts/use-after.ts'

/** What stands in the point's place. `isPatient`: blank at first, as what takes less than a moment needs no words. */
export function Held({ isPatient = false, children }: { isPatient?: boolean; children: ReactNode }) {
  const isSlow = useAfter(300)
  return <div className="stage">{(isSlow || !isPatient) && children}</div>
}
