import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { learn } from '../../src/loop.ts'
import { createProject, openProject } from '../../src/stores/sqlite.ts'
import { live, scratch, script, start } from './lives.ts'
import { smallRun } from './small-run.ts'

const answers = 120 // of a run: enough to be met at work

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

async function begun(name: string): Promise<string> {
  const path = join(scratch, `${name}.alis`)
  await (await createProject(path)).close()
  return path
}

/** The answers on record, as a reader or another program finds them. */
async function answersAt(path: string) {
  const project = await openProject(path, { mode: 'read' })
  const answers = await project.answers()
  await project.close()
  return answers
}

describe('two processes', () => {
  it('cannot both write: the second is told who is at work, and the first never notices', async () => {
    const path = await begun('shared')
    const first = start(path, 11, { answers })
    await first.acknowledges(3)
    await expect(openProject(path)).rejects.toMatchObject({
      code: 'store-failed',
      message: `${path}: one process may write at a time, got process ${first.pid} at work`,
      hint: 'Open it read-only, or stop the other.',
    })
    const { acknowledged, wasKilled } = await first.ended
    expect([acknowledged.length, wasKilled]).toEqual([answers, false])
    expect(await answersAt(path)).toHaveLength(answers)
  })

  it('leave no lock behind when they are killed', async () => {
    const path = await begun('unlocked')
    for (const afterLines of [1, 2, 3]) {
      await live(path, 12, { answers, death: { afterLines, delay: 0 } })
      await (await openProject(path)).close()
    }
  })

  it('in one process too, only one writes', async () => {
    const path = await begun('alone')
    const project = await openProject(path)
    await expect(openProject(path)).rejects.toThrow(`got process ${process.pid} at work`)
    await project.close()
    await (await openProject(path)).close()
  })

  it('can read beside the one that writes, and find everything acknowledged', async () => {
    const path = await begun('read')
    const writer = start(path, 13, { answers })
    const reader = await openProject(path, { mode: 'read' })
    for (let at = 20; at <= answers; at += 10) {
      const acknowledged = await writer.acknowledges(at)
      const found = await reader.answers()
      expect(found.slice(0, acknowledged.length)).toMatchObject(acknowledged)
      const rounds = await reader.rounds() // one view: no answer without its round, no round without its draws
      for (const round of rounds)
        expect(round.draws.map(({ id }) => id)).toEqual(expect.arrayContaining([...round.answers.keys()]))
    }
    expect((await writer.ended).acknowledged).toHaveLength(answers)
    await reader.close()
  })
})

describe('a backup', () => {
  it('made beside a writer is a whole project with everything acknowledged until then', async () => {
    const path = await begun('origin')
    const writer = start(path, 14, { answers })
    const reader = await openProject(path, { mode: 'read' })
    const copies = []
    for (let at = 20; at <= 110; at += 30) {
      const acknowledged = await writer.acknowledges(at)
      const copy = join(scratch, `copy-${at}.alis`)
      await reader.backup(copy)
      copies.push({ copy, acknowledged })
    }
    await writer.ended
    await reader.close()
    const final = await answersAt(path)
    for (const { copy, acknowledged } of copies) {
      const answers = await answersAt(copy)
      expect(answers.length).toBeGreaterThanOrEqual(acknowledged.length)
      expect(answers).toEqual(final.slice(0, answers.length))
    }
    const again = await live(copies[0]!.copy, 14, { answers }) // a backup can be worked on, and ends the same
    expect(again.acknowledged.length).toBeLessThan(answers)
    expect((await answersAt(copies[0]!.copy)).map(({ id }) => id)).toEqual(final.map(({ id }) => id))
  })

  it('made by the writer itself shows its progress and holds nothing up', async () => {
    const path = join(scratch, 'busy.alis')
    const project = await createProject(path)
    await project.remember('ballast', 'x'.repeat(20_000_000)) // some 5000 pages
    const shares: number[] = []
    const copied = project.backup(join(scratch, 'busy-copy.alis'), (share) => shares.push(share))
    for await (const { round } of learn(smallRun(project, 15))) if (round === 3) break
    await copied
    expect(shares.length).toBeGreaterThan(3)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
    expect(await project.answers()).toHaveLength(40)
    const copy = await openProject(join(scratch, 'busy-copy.alis'))
    expect(await copy.recall<string>('ballast')).toHaveLength(20_000_000)
    await copy.close()
    await project.close()
  })
})

/** A file system of a few megabytes for this test alone; why not, where we may not have one. */
function smallDisk(name: string): string | Error {
  const at = join(scratch, name)
  mkdirSync(at)
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', at], { encoding: 'utf8' })
  if (status !== 0) return error ?? new Error(stderr)
  onTestFinished(() => void execFileSync('umount', [at]))
  return at
}

it('on a full disk says so, keeps everything acknowledged, and goes on when there is room', async (context) => {
  const disk = smallDisk('disk')
  if (disk instanceof Error) return context.skip(`a disk to fill cannot be mounted here: ${disk.message}`)
  const path = join(disk, 'full.alis')
  const project = await createProject(path)
  onTestFinished(() => project.close())
  const rounds = learn(smallRun(project, 16))
  await rounds.next()
  const filler = join(disk, 'filler')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(filler, Buffer.alloc((bavail - 4) * bsize))

  const stopped = await (async () => {
    for await (const _ of rounds);
  })().catch((error) => error)
  expect(stopped).toMatchObject({ code: 'store-failed', message: expect.stringContaining('there must be room on the disk') })
  expect(stopped.cause).toMatchObject({ code: 'SQLITE_FULL' })
  const safe = await project.answers()
  expect(safe.length).toBeGreaterThanOrEqual(10)
  expect(await answersAt(path)).toEqual(safe)
  await expect(createProject(join(disk, 'second.alis'))).rejects.toMatchObject({ code: 'store-failed' })

  rmSync(filler)
  for await (const _ of learn(smallRun(project, 16)));
  const all = await project.answers()
  expect(all).toHaveLength(300)
  expect(all.slice(0, safe.length)).toEqual(safe)
  await (await createProject(join(disk, 'second.alis'))).close() // what the first attempt left is no obstacle
})

/** What a process of another user makes of a project; root may write anywhere, so it steps down. */
function visit(path: string) {
  const otherUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'visitor.ts'), path], {
    ...otherUser,
    encoding: 'utf8',
  })
  return stdout ? JSON.parse(stdout) : new Error(stderr)
}

describe('a directory where one may only read', () => {
  const forbidden = {
    code: 'store-failed',
    message: expect.stringContaining('you must be allowed to read and write here, got EACCES'),
  }

  it.for(['in peace', 'by a kill'])(
    'can be read when the last writer left %s, and says why it cannot be written',
    async (end, context) => {
      const shelf = join(scratch, `shelf ${end}?#%20`) // also a name that means something in a URI
      mkdirSync(shelf)
      const path = join(shelf, 'shown.alis')
      await (await createProject(path)).close()
      await live(path, 17, { answers, ...(end === 'by a kill' && { death: { afterLines: 30, delay: 0 } }) })
      expect(existsSync(join(path, 'project.sqlite-wal'))).toBe(end === 'by a kill')
      const { length } = await answersAtRest(path)
      for (const [at, mode] of [
        [scratch, 0o755],
        [path, 0o555],
        [shelf, 0o555],
      ] as const)
        chmodSync(at, mode)
      onTestFinished(() =>
        [shelf, path].forEach((at) => {
          chmodSync(at, 0o755)
        }),
      )

      const visited = visit(path)
      if (visited instanceof Error && /EACCES|EPERM|Cannot find module/.test(visited.message)) {
        return context.skip('the other user may not read these sources')
      }
      expect(visited).toEqual({
        answers: length,
        opened: expect.objectContaining(forbidden),
        created: expect.objectContaining(forbidden),
      })
    },
  )
})

/** Reads a copy, so that the original keeps the log its last writer left. */
async function answersAtRest(path: string) {
  const copy = `${path.slice(0, -'.alis'.length)}-copy.alis`
  execFileSync('cp', ['-r', path, copy])
  return answersAt(copy)
}

/** System calls of a whole run, where they can be watched. */
function systemCalls(path: string): string[] | undefined {
  const log = join(scratch, 'calls')
  const watch = ['-f', '-qq', '-y', '-e', 'trace=write,fsync,fdatasync', '-o', log]
  const { status } = spawnSync('strace', [...watch, process.execPath, script, path, '18', `${answers}`])
  return status === 0 ? readFileSync(log, 'utf8').split('\n') : undefined
}

it('has every answer on the disk itself before it is acknowledged', async (context) => {
  const calls = systemCalls(await begun('watched'))
  if (!calls) return context.skip('strace is needed to watch system calls')
  let syncs = 0
  let acknowledged = 0
  for (const call of calls) {
    if (/f(data)?sync\(.*project\.sqlite-wal/.test(call)) syncs++
    if (!/ write\(1<.*\\"id\\"/.test(call)) continue
    expect(syncs).toBeGreaterThan(0) // since the one before
    acknowledged++
    syncs = 0
  }
  expect(acknowledged).toBe(answers)
})
