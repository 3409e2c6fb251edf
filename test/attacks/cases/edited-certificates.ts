import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf } from '../../../src/core/hash.ts'
import { alisHere } from '../../in-process.ts'
import { type Attack, attempt, type Ground } from '../attack.ts'
import { chances, type Json, leavesOf, other, setAt, valueAt } from '../forging.ts'
import { columns, predictionsFile } from '../predictions.ts'

/** One value of a certificate becomes another one; `sealed`: with the seal of what it says now. */
const edited = (name: string, sealed: boolean): Attack => ({
  name,
  async attack({ folder, isThorough, seed }: Ground) {
    const pool = predictionsFile(folder)
    const file = join(folder, 'audit.json')
    await alisHere(['audit', pool, ...columns, '--metric', 'error,recall:dog', '--budget', '80', '--certificate', file])
    const honest = JSON.parse(readFileSync(file, 'utf8')) as { [key: string]: Json }
    const paths = leavesOf(honest).filter(([first]) => !free.has(`${first}`))
    const random = chances(seed, name)
    const tries = []
    for (let k = 0; k < (isThorough ? 150 : 8); k++) {
      const { seal, ...copy } = structuredClone(honest)
      const path = random.pick(paths)
      setAt(copy, path, other(valueAt(honest, path), random))
      const forged = join(folder, 'forged.json')
      writeFileSync(forged, `${JSON.stringify({ ...copy, seal: sealed ? identityOf(copy) : seal! }, null, 2)}\n`)
      const verify = () => alisHere(['verify', forged, '--pool', pool]).then(({ stdout, stderr }) => stderr || stdout)
      tries.push(await attempt(path.join('.'), verify, /(certificate|record|forged\.json|verify|\w+): .+(, got |required|must)/))
    }
    return tries
  },
})

/** What every maker of a certificate may write there: it says so of itself. */
const free = new Set(['seal', 'seedChosen', 'versions'])

export const attacks = [
  edited('one value of a certificate is edited', false),
  edited('one value of a certificate is edited, and it is sealed anew', true),
]
