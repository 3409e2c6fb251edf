import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uniform } from '../../src/core/randomness.ts'
import { type alis, root } from '../command.ts'

const digits = ['run', 'digits.csv', '--label', 'digit', '--positive', '1,3,5,7,9', '--seed', '7', '--json']
const audit = ['audit', 'predictions.csv', '--prediction', 'new', '--confidence', 'p', '--truth', 'y', '--seed', '5', '--json']

/** Commands whose output for a seed is held for good, in this order: later ones use what earlier ones wrote. */
const commands = {
  'run-two-classes': [...digits, '--test', '0.3', '--rounds', '3'],
  'run-ten-classes': ['run', 'digits.csv', '--label', 'digit', '--rounds', '2', '--seed', '7', '--json'],
  'run-texts': ['run', 'texts.csv', '--label', 'label', '--text', 'text', '--rounds', '2', '--seed', '3', '--json'],
  'run-people': ['run', 'digits.csv', ...digits.slice(2, -1), '--start', '20', '--batch', '20', '--budget', '500'],
  'run-paper': [...digits, '--strategy', 'paper', '--rounds', '3'],
  'run-squared-hinge': [...digits, '--loss', 'squared-hinge', '--weighting', '0.5', '--batch', '7', '--rounds', '2'],
  'run-project': [...digits, '--rounds', '2', '--project', 'digits.alis'],
  'run-resumed': [...digits, '--rounds', '4', '--project', 'digits.alis'],
  certify: ['certify', 'digits.alis', '--budget', '60', '--no-sign', '--json'],
  'audit-error': [...audit, '--tolerance', '0.05', '--certificate', 'certificate.json', '--no-sign'],
  'audit-recall': [...audit, '--metric', 'recall', '--positive', 'a', '--budget', '150'],
  'audit-difference': [...audit, '--against', 'old', '--budget', '150'],
  'audit-many': [...audit, '--metric', 'error,recall:a', '--by', 'old', '--budget', '100', '--project', 'a.alis', '--no-sign'],
  'audit-models': ['audit', 'predictions.csv', '--models', 'old,new', '--truth', 'y', '--budget', '150', '--seed', '5', '--json'],
  ask: ['ask', 'a.alis', '--metric', 'f1,accuracy', '--positive', 'b', '--json'],
  verify: ['verify', 'certificate.json', '--pool', 'predictions.csv', '--json'],
  'bad-label': ['run', 'digits.csv', '--label', 'digt', '--json'],
} as const

/** What every command says, one after the other, in a folder of their own. Times and the folder's path are left out. */
export async function recordOutputs(run: typeof alis): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'alis-outputs-'))
  copyFileSync(join(root, 'data/digits.csv'), join(folder, 'digits.csv'))
  writeFileSync(join(folder, 'predictions.csv'), predictions())
  writeFileSync(join(folder, 'texts.csv'), texts())
  const outputs: Record<string, string> = {}
  for (const [name, args] of Object.entries(commands)) {
    const { code, stdout, stderr } = await run(args, { cwd: folder })
    const said = `exit ${code}\n${stdout}${stderr && `stderr\n${stderr}`}`
    const timeless = said.replace(/"seconds":[\d.]+/g, '"seconds":0').replace(/\n(\d+ min )?[\d.]+ m?s\n$/, '\n')
    outputs[name] = timeless.replaceAll(folder, '.')
  }
  rmSync(folder, { recursive: true })
  return outputs
}

const classes = ['a', 'b', 'c'] as const
const pick = <T>(from: readonly T[], stream: string, id: string) => from[Math.ceil(from.length * uniform(1, stream, id)) - 1]!

/** 3,000 rows: a model that is as often right as it says, and an older one that is right in seven of ten. */
function predictions(): string {
  const rows = Array.from({ length: 3000 }, (_, i) => {
    const id = `r${i}`
    const y = pick(classes, 'truth', id)
    const p = 0.5 + 0.5 * uniform(1, 'confidence', id)
    const others = classes.filter((name) => name !== y)
    const own = uniform(1, 'right', id) < p ? y : pick(others, 'wrong', id)
    const old = uniform(1, 'old', id) < 0.7 ? y : pick(others, 'older', id)
    return [id, own, old, p.toFixed(4), y].join(',')
  })
  return ['id,new,old,p,y', ...rows, ''].join('\n')
}

const words = {
  spam: ['win', 'cash', 'free', 'prize'],
  ham: ['meet', 'home', 'lunch', 'work'],
  both: ['the', 'to', 'you', 'now'],
}

function texts(): string {
  const rows = Array.from({ length: 600 }, (_, i) => {
    const label = uniform(1, 'label', `${i}`) < 0.4 ? 'spam' : 'ham'
    const said = Array.from({ length: 6 }, (_, k) =>
      pick(uniform(1, 'kind', `${i}/${k}`) < 0.5 ? words[label] : words.both, 'word', `${i}/${k}`),
    )
    return `${said.join(' ')},${label}`
  })
  return ['text,label', ...rows, ''].join('\n')
}
