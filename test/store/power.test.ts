import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createProject, openProject } from '../../src/stores/sqlite.ts'
import { missing, scratch, start } from './lives.ts'

const disk = join(scratch, 'disk.img')
const afterCut = join(scratch, 'after-cut.img')
const mountPoint = join(scratch, 'mounted')

const mount = (image: string) => spawnSync('mount', ['-o', 'loop', image, mountPoint], { encoding: 'utf8' })
const unmount = () => execFileSync('umount', [mountPoint])

afterAll(() => {
  spawnSync('umount', [mountPoint]) // where the test failed half-way
  rmSync(scratch, { recursive: true, force: true })
})

/** Puts an empty file system into a file. Why not, where we may not have one. */
function makeDisk(): string | undefined {
  mkdirSync(mountPoint, { recursive: true })
  rmSync(disk, { force: true })
  const made = spawnSync('sh', ['-c', `truncate -s 24M "$0" && mkfs.ext4 -q "$0"`, disk], { encoding: 'utf8' })
  if (made.status !== 0) return made.stderr
  const { status, stderr } = mount(disk)
  return status === 0 ? undefined : stderr
}

/**
 * Cuts the power: stops the process, and copies the disk below the file system. What was not asked to be on the disk
 * is still in memory, and so not in the copy. Returns how many acknowledged answers are not in it.
 */
async function lostInCut(answers: number, manner?: 'careless'): Promise<number> {
  const path = join(mountPoint, 'cut.alis')
  await (await createProject(path)).close()
  const child = start(path, 21, { ...(manner && { manner }) })
  await child.acknowledges(answers)
  child.stop()
  const acknowledged = await child.acknowledges(answers)
  copyFileSync(disk, afterCut)
  child.kill()
  await child.ended
  unmount()
  mount(afterCut)
  const project = await openProject(path)
  const lost = missing(acknowledged, await project.answers())
  await project.close()
  unmount()
  return lost.length
}

it('a power cut loses no acknowledged answer, and would if we did not wait for the disk', {
  timeout: 120_000,
}, async (context) => {
  for (const answers of [1, 2, 7, 25, 90, 240]) {
    const reason = makeDisk()
    if (reason) return context.skip(`no disk to cut off can be mounted here: ${reason}`)
    expect(await lostInCut(answers)).toBe(0)
  }
  makeDisk()
  expect(await lostInCut(25, 'careless')).toBeGreaterThan(0)
})
