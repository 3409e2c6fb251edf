import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

const runs = (python: string, code: string) => spawnSync(python, ['-c', code]).status === 0
const pythons = ['python3', '/usr/bin/python3'].filter((each) => runs(each, ''))

/** The Python of this machine, with what it has: Debian's packages are those of `/usr/bin/python3`, which need not be the first. */
const python = pythons.find((each) => runs(each, 'import sklearn')) ?? pythons[0]

export const pythonHere = {
  path: python,
  hasForests: python !== undefined && runs(python, 'import sklearn'),
  hasNetworks: python !== undefined && runs(python, 'import torch'),
}

/** What the scripts in a folder need to run: the Python there is under its name and, where it has no scikit-learn, the means of the classes in place of a forest. */
export function standIns(folder: string): void {
  if (python === undefined) return
  if (python !== 'python3') symlinkSync(python, join(folder, 'bin/python3'))
  if (pythonHere.hasForests) return
  mkdirSync(join(folder, 'sklearn'))
  writeFileSync(join(folder, 'sklearn/__init__.py'), '')
  writeFileSync(
    join(folder, 'sklearn/ensemble.py'),
    `class RandomForestClassifier:
    def __init__(self, n_estimators, n_jobs, random_state): pass
    def fit(self, rows, targets, sample_weight):
        self.classes_ = sorted(set(targets))
        own = [[row for row, y in zip(rows, targets) if y == k] for k in self.classes_]
        self.means = [[sum(column) / len(each) for column in zip(*each)] for each in own]
    def predict_proba(self, rows):
        for row in rows:
            near = [1 / (1 + sum((a - b) ** 2 for a, b in zip(row, mean))) for mean in self.means]
            yield [each / sum(near) for each in near]
`,
  )
}

/** A service with the JSON of OpenAI's: it thinks that some words are worth paying, and judges answers by whether they sound sure. */
export async function languageModel(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const { messages } = (await json(request)) as { messages: { content: string }[] }
    const [{ content: asked }] = messages as [{ content: string }]
    const verdict = /about|mistaken/.test(asked) ? '{"verdict": "FAIL"}' : 'Pass.'
    const content = /pass or fail/.test(asked) ? verdict : /prize|winner|loan|casino|free/.test(asked) ? '90' : '20 %'
    response.end(JSON.stringify({ choices: [{ message: { content } }] }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
