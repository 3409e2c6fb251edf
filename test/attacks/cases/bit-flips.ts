import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closing } from '../../../src/core/closing.ts'
import type { Project } from '../../../src/stores/project.ts'
import { openProject } from '../../../src/stores/sqlite.ts'
import { alisHere } from '../../in-process.ts'
import type { Attack, Try } from '../attack.ts'
import { chances } from '../forging.ts'
import { columns, predictionsFile } from '../predictions.ts'

/** Everything that is on record. */
async function factsOf(project: Project): Promise<string> {
  const named = ['settings', 'audit', 'asked', 'labelling', 'plan', 'auditing', 'added', 'recipe']
  const rounds = (await project.rounds()).map(({ answers, ...round }) => ({ ...round, answers: [...answers] }))
  const noted = await Promise.all(named.map((name) => project.recall(name)))
  const rest = [await project.answers(), await project.certificates(), await project.events(), await project.head()]
  return JSON.stringify([rounds, noted, rest, await project.models(), await project.looks()])
}

/** What the record says, or undefined where it is refused. */
const readingOf = async (path: string) =>
  closing(openProject(path, { mode: 'read' }), factsOf).catch((error: Error & { code?: string }) => {
    if (error.code === undefined) throw error
    return undefined
  })

const flips: Attack = {
  name: 'one bit of the record of a project is another',
  async attack({ folder, isThorough, seed }) {
    const run = ['--seed', '3', '--budget', '30', '--project', 'audits.alis', '--certificate', 'c.json']
    await alisHere(['audit', predictionsFile(folder), ...columns, ...run], { cwd: folder })
    await alisHere(
      [
        'run',
        'predictions.csv',
        '--label',
        'y',
        '--ignore',
        'label',
        '--rounds',
        '3',
        '--start',
        '10',
        '--batch',
        '5',
        '--learner',
        'linear',
        '--project',
        'learns.alis',
      ],
      { cwd: folder },
    )
    const tries: Try[] = []
    for (const name of ['audits.alis', 'learns.alis']) {
      const [path, copy] = [join(folder, name), join(folder, `flipped-${name}`)]
      cpSync(path, copy, { recursive: true })
      const whole = readFileSync(join(path, 'project.sqlite'))
      const facts = await readingOf(path)
      if (facts === undefined || facts.length < 10_000) return [{ what: name, through: 'nothing is on record' }]
      const { below } = chances(seed, name)
      for (let k = 0; k < (isThorough ? 150 : 15); k++) {
        const flipped = Buffer.from(whole)
        const [at, bit] = [below(whole.length), below(8)]
        flipped[at]! ^= 1 << bit
        writeFileSync(join(copy, 'project.sqlite'), flipped)
        const what = `bit ${bit} of byte ${at} of ${name}`
        const found = await readingOf(copy).catch(({ message }: Error) => `an error of no kind: ${message}`)
        const isHeld = found === undefined || found === facts
        tries.push({ what, ...(!isHeld && { through: `it reads as ${found!.slice(0, 200)}` }) })
      }
    }
    return tries
  },
}

export const attacks: readonly Attack[] = [flips]
