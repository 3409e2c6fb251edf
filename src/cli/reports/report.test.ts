import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sayResult, writeLine } from './output.ts'
import { lateProgress } from './report.ts'

let said = ''
beforeEach(() => {
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

it('writes one JSON object a line, its type first', () => {
  writeLine('round', { answers: 3, label: undefined })
  expect(said).toBe('{"type":"round","answers":3}\n')
})

it('says a result in JSON to programs, and in words to people', () => {
  sayResult({ json: true }, { rows: 2 }, 'two rows')
  sayResult({}, { rows: 2 }, 'two rows')
  expect(said).toBe('{"type":"result","rows":2}\ntwo rows\n')
})

it('shows long steps as soon as there is a report, and none before', () => {
  const steps: string[] = []
  const progress = lateProgress()
  progress.working(0.1, 'early')
  progress.report = { working: (share, step) => void steps.push(`${step} ${share}`) }
  progress.working(0.5, 'scoring')
  expect(steps).toEqual(['scoring 0.5'])
})
