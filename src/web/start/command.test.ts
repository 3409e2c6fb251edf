import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { labelCommand } from '../../cli/commands/label.ts'
import { commandLine, remarksOn } from './command.ts'
import type { NewProject } from './draft.ts'

const project: NewProject = {
  path: 'digits.csv',
  project: 'digits.alis',
  wishes: {},
  classes: [
    { name: '0', key: '0' },
    { name: '1', key: '1' },
  ],
  question: 'Which digit is this?',
  guidelines: '',
  plan: { strategy: 'alis', batch: 40, budget: 400 },
  start: 40,
}

/** The words a real shell makes of a line. */
function words(line: string): string[] {
  return execFileSync('sh', ['-c', `set -- ${line}; printf '%s\\0' "$@"`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

/** What the real command makes of a line. */
async function understood(line: string): Promise<object> {
  let said = {}
  const command = labelCommand(new AbortController().signal)
    .exitOverride()
    .action((path: string, options: object) => {
      said = { path, ...options }
    })
  await command.parseAsync(words(line).slice(2), { from: 'user' })
  return said
}

describe('the equivalent command', () => {
  test('says all that was chosen, and no more', () => {
    expect(commandLine(project)).toBe(
      "alis label digits.csv --project digits.alis --classes 0,1 --question 'Which digit is this?' --strategy alis --start 40 --batch 40 --budget 400",
    )
  })

  test('is understood by the command itself, option by option', async () => {
    const said = await understood(
      commandLine({
        ...project,
        wishes: { id: 'nr', label: 'digit', text: ['subject', 'body text'], ignore: ['x'], show: ['nr'] },
        guidelines: 'Look twice.',
        loss: 'squared',
        l2: 0.5,
        weighting: 0,
        know: 0.3,
        seed: 7,
      }),
    )
    expect(said).toMatchObject({
      path: 'digits.csv',
      project: 'digits.alis',
      id: 'nr',
      text: ['subject', 'body text'],
      show: ['nr'],
      ignore: ['x', 'digit'],
      classes: ['0', '1'],
      question: 'Which digit is this?',
      guidelines: 'guidelines.txt',
      ...{ strategy: 'alis', start: 40, batch: 40, budget: 400 },
      ...{ loss: 'squared', l2: 0.5, weighting: 0, know: 0.3, seed: 7 },
    })
  })

  test('what a command cannot say is said beside it', () => {
    expect(remarksOn(project)).toEqual([])
    expect(remarksOn({ guidelines: 'Look twice.', classes: [{ name: 'a,b', key: '2' }] })).toEqual([
      'Save the guidelines as guidelines.txt first.',
      'The command gives keys by itself: 1.',
      'A class with a comma in its name can be made on this page only.',
    ])
  })
})
