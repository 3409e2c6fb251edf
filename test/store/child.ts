// A process to be killed: works on a project and prints every answer once it is told that the answer is safe.
//   node child.ts NAME.alis SEED ANSWERS [hasty | careless]
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { learn } from '../../src/loop.ts'
import { openProject } from '../../src/stores/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { smallRun } from './small-run.ts'

const [path, seed, answers, manner] = process.argv.slice(2)
if (!path) process.exit() // was only started to be compiled: Node keeps what it compiled when it leaves in peace
if (manner === 'careless') beCareless()

const project = await openProject(path)
const store = manner === 'hasty' ? hasty(project) : project
const announced: Store = {
  ...store,
  async answer(round, id, label) {
    await store.answer(round, id, label)
    writeSync(1, `${JSON.stringify({ round, id, label })}\n`)
  },
}
for await (const _ of learn(smallRun(announced, Number(seed), { budget: Number(answers), thinking: 1 })));
await project.close()

/** A broken twin: says that an answer is safe, and writes it a moment later. */
function hasty(careful: Store): Store {
  let written = Promise.resolve()
  return {
    ...careful,
    async answer(...answer) {
      written = written.then(() => pause(5)).then(() => careful.answer(...answer))
    },
    async closeRound(round) {
      await written
      await careful.closeRound(round)
    },
  }
}

/** Another: does not wait for the disk. No kill can tell, but a power cut can. */
function beCareless(): void {
  const { pragma } = Database.prototype
  Database.prototype.pragma = function (source, options) {
    return pragma.call(this, source.replace('synchronous = FULL', 'synchronous = OFF'), options)
  }
}
