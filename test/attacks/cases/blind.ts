import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenRound } from '../../../src/protocol/rounds.ts'
import { question } from '../../../src/questions/spec.ts'
import { type Served, serve } from '../../../src/server/http/serve.ts'
import { keyed } from '../../../src/text/class-keys.ts'
import { authorizationFor } from '../../authorization.ts'
import type { Attack, Try } from '../attack.ts'
import { classes } from '../predictions.ts'

function audited(folder: string): Promise<Served> {
  const audit = {
    questions: [question('error', { level: 0.9 })],
    goal: { budget: 60 },
    batch: 10,
    strategy: 'alis-audit',
    seed: 3,
    seedChosen: true,
  } as const
  const path = join(folder, 'guesses.csv') // without the truth, which is not what is looked for
  const rows = Array.from({ length: 200 }, (_, i) => `n${i},${classes[i % 3]},${0.5 + (i % 50) / 100}`)
  writeFileSync(path, ['id,label,p', ...rows, ''].join('\n'))
  const predicted = { path, reading: { prediction: 'label', confidence: 'p' } }
  const labelling = { question: 'Which animal?', guidelines: '', classes: keyed(classes) }
  const work = { project: 'audit.alis', source: { kind: 'predictions', predicted, audit, labelling } } as const
  return serve({ directory: folder, port: 0, work })
}

/** Somebody who answers an audit asks every route for what the model says. */
const peeking: Attack = {
  name: 'who answers an audit looks at the predictions',
  async attack({ folder }) {
    const served = await audited(folder)
    try {
      const { origin } = served
      const headers = { origin, authorization: await authorizationFor(served.address()), 'content-type': 'application/json' }
      const ask = (method: string, path: string, body?: object) =>
        fetch(`${origin}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const session = served.projectHost.session()!
      while (session.view().phase.kind !== 'asking') await pause(10)
      const { round, points } = (await (await ask('GET', '/round')).json()) as OpenRound
      const open = points[1]!.id
      await ask('PUT', `/rounds/${round}/answers/${points[0]!.id}`, { label: 'cat', page: 'x' })
      const isTold = new RegExp(`"${open}"[^]*"(?:value|prediction|label|predicted)":"(?:${classes.join('|')})"`)
      const tries: Try[] = []
      for (const [method, path, body] of [
        ['GET', '/predictions'],
        ['GET', '/predictions?limit=200'],
        ['GET', `/predictions?search=${open}`],
        ['GET', '/predictions?model=newest&search=cat'],
        ['POST', '/exports', { format: 'csv' }],
        ['POST', '/exports', { format: 'jsonl', model: 'newest' }],
        ['GET', '/exports/predictions.csv'],
        ['GET', '/exports/labels.csv'],
      ] as const) {
        const reply = await ask(method, path, body)
        const { code } = (await reply.json()) as { code?: string }
        tries.push({ what: `${method} ${path}`, ...(code !== 'blind' && { through: `${reply.status} was answered` }) })
      }
      for (const path of ['/round', '/state', '/report', `/answers?search=${open}`]) {
        const said = await (await ask('GET', path)).text()
        tries.push({ what: `GET ${path}`, ...(isTold.test(said) && { through: said }) })
      }
      return tries
    } finally {
      await served.close()
    }
  },
}

export const attacks: readonly Attack[] = [peeking]
