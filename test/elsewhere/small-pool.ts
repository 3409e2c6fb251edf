import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uniform } from '../../src/core/randomness.ts'
import { freshDirectory } from '../endings.ts'

export const folder = freshDirectory()

const points = 160
const lines = Array.from({ length: points }, (_, i) => {
  const [x, noise] = [uniform(1, 'x', `${i}`), uniform(1, 'noise', `${i}`)]
  return `p${i},${x.toFixed(4)},${x + 0.2 * (noise - 0.5) > 0.5 ? 'yes' : 'no'},${['red', 'green', 'blue'][Math.floor(3 * x)]}`
})
export const pool = join(folder, 'pool.csv')
writeFileSync(pool, `id,x,y,colour\n${lines.join('\n')}\n`)

/**
 * A program in Python that speaks the protocol: `says` are statements that make a `reply` of a `task`, its `rows`, and `p`, the chance of
 * the last class by the means of x in the first and in the last. `id`: what names a row.
 */
export function program(name: string, says: string, before = '', id = 'row["id"]'): string {
  const path = join(folder, `fits-${name}.py`)
  writeFileSync(
    path,
    `import csv, json, math, os, sys
${before}
for line in sys.stdin:
    task = json.loads(line)
    rows = list(csv.DictReader(open(task["pool"])))
    x = {${id}: float(row["x"]) for i, row in enumerate(rows)}
    own = [[x[one["id"]] for one in task["labels"] if one["label"] == name] for name in task["classes"]]
    means = [sum(each) / len(each) if each else 0.5 for each in own]
    middle = (means[0] + means[-1]) / 2
    p = {id: 1 / (1 + math.exp(-8 * (v - middle))) for id, v in x.items()}
    reply = {"fit": task["fit"], "identity": "middle %.6f" % middle}
${says.replace(/^/gm, '    ')}
    print(json.dumps(reply), flush=True)
`,
  )
  return `python3 '${path}'`
}

export const inline = 'reply["probabilities"] = {id: [1 - q, q] for id, q in p.items()}'
