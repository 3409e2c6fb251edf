import { useState } from 'react'
import type { Strategy } from '../../protocol/project.ts'
import { Choose } from './Choose.tsx'
import { Understood } from './Understood.tsx'
import type { FileInspection } from './use-draft.ts'
import './start.css'

/** From nothing to the first draw: a file, what was understood of it, and what is to be asked. */
export function StartView({ strategies }: { strategies: readonly Strategy[] }) {
  const [look, setLook] = useState<FileInspection>()
  if (!look) return <Choose onUnderstood={setLook} />
  return <Understood first={look} strategies={strategies} onReplace={() => setLook(undefined)} />
}
