import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uniform } from '../../src/core/randomness.ts'

export const classes = ['cat', 'dog', 'owl']

/** A file of predictions, wrong where they doubt, with the true class in `y`. */
export function predictionsFile(folder: string, rows = 400): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const chance = 0.9 * uniform(4, 'chance', `${i}`) ** 5
    const own = Math.floor(3 * uniform(4, 'class', `${i}`)) % 3
    const isWrong = uniform(4, 'wrong', `${i}`) < chance
    const region = uniform(4, 'region', `${i}`) < 0.4 ? 'north' : 'south'
    return `n${i},${classes[own]},${(1 - chance).toFixed(6)},${classes[isWrong ? (own + 1) % 3 : own]},${region}`
  })
  const path = join(folder, 'predictions.csv')
  writeFileSync(path, ['id,label,p,y,region', ...lines, ''].join('\n'))
  return path
}

export const columns = ['--prediction', 'label', '--confidence', 'p', '--truth', 'y']
