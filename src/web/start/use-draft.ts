import { useRef, useState } from 'react'
import type { Inspection, SampleFile } from '../../protocol/start.ts'
import { keyed } from '../../text/class-keys.ts'
import { api } from '../api/client.ts'
import { useAttempt } from '../api/use-requests.ts'
import { type Choices, choicesAtFirst, wishesOf } from './columns.ts'
import { type Draft, draftOf, type Problems, problemsOf } from './draft.ts'

export type DraftWork = ReturnType<typeof useDraft>

/** What is asked about a sample. */
export type Proposal = Pick<SampleFile, 'question' | 'classes'>

/** A project being described: what was understood of its file, what was typed since, and what is still wrong. */
export function useDraft(first: FileInspection, strategy: string, proposal?: Proposal) {
  const [inspection, setInspection] = useState(first.inspection)
  const [draft, setDraft] = useState(() => proposed(draftOf(first.inspection, first.choices, strategy), proposal))
  const [touched, setTouched] = useState<ReadonlySet<keyof Draft>>(new Set(proposal ? ['question', 'classes'] : []))
  const [isTried, setIsTried] = useState(false)
  const [pending, setPending] = useState<Choices>()
  const latest = useRef<Choices>(undefined)
  const reading = useAttempt()

  const problems = problemsOf(draft)
  /** The problem of a field that was changed; of any other, once the button below was pressed. */
  const problemOf = (field: keyof Problems) =>
    isTried || (touched.has(field) && field !== 'classes') ? problems[field] : undefined

  function change(part: Partial<Draft>) {
    setDraft((now) => ({ ...now, ...part }))
    setTouched((now) => new Set([...now, ...(Object.keys(part) as (keyof Draft)[])]))
  }

  /** The file is looked at again with other roles. Proposals that were not changed follow; what was typed stays. */
  async function choose(choices: Choices) {
    latest.current = choices
    setPending(choices)
    await reading.attempt(async () => {
      const found = await api.inspect({ path: inspection.path, wishes: wishesOf(choices, inspection) })
      if (latest.current !== choices) return // overtaken by a later choice
      setInspection(found)
      setDraft((now) => ({
        ...now,
        choices,
        ...(!touched.has('classes') && { classes: found.classes }),
        ...(!touched.has('question') && { question: found.question }),
      }))
    })
    if (latest.current === choices) setPending(undefined)
  }

  return {
    inspection,
    draft,
    /** Those asked for last, though the server may still be reading. */
    choices: pending ?? draft.choices,
    isReading: pending !== undefined,
    readingFailure: reading.failure,
    problems,
    problemOf,
    change,
    choose,
    /** From now on every problem is shown. Says whether there is none. */
    check() {
      setIsTried(true)
      return Object.keys(problems).length === 0
    },
  }
}

const proposed = (draft: Draft, proposal: Proposal | undefined): Draft =>
  proposal && proposal.classes.length > 0 ? { ...draft, question: proposal.question, classes: keyed(proposal.classes) } : draft

/** A file as it was understood, with the choices that came of it. */
export interface FileInspection {
  readonly inspection: Inspection
  readonly choices: Choices
}

/** The first look at a file; a second one where a column has to be left out before anything is learned. */
export async function lookAt(path: string, signal?: AbortSignal): Promise<FileInspection> {
  const inspection = await api.inspect({ path, wishes: {} }, signal)
  const choices = choicesAtFirst(inspection)
  const wishes = wishesOf(choices, inspection)
  if (inspection.recognised.isSure || Object.keys(wishes).length === 0) return { inspection, choices }
  return { inspection: await api.inspect({ path, wishes }, signal), choices }
}

/** What it is when one begins to learn from it. */
export async function learningFrom({ inspection, choices }: FileInspection): Promise<FileInspection> {
  const wishes = wishesOf(choices, inspection)
  if (Object.keys(wishes).length === 0) return { inspection, choices }
  return { inspection: await api.inspect({ path: inspection.path, wishes }), choices }
}
