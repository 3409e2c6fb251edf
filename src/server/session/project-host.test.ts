import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshDirectory } from '../../../test/endings.ts'
import { begunProject, fakeWorkers } from '../../../test/server/fixture.ts'
import { AlisError } from '../../core/errors.ts'
import type { WorkerMethods } from '../worker/worker-protocol.ts'
import { projectHost } from './project-host.ts'

const ways = { sheets: [], encodings: [] }

/** A host in DIR/here, beside DIR/here-other and DIR/outside.csv. */
function hostIn(scripts: Partial<WorkerMethods> = {}) {
  const parent = freshDirectory()
  const directory = join(parent, 'here')
  for (const name of ['here', 'here-other']) {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, 'pool.csv'), 'id,x\na,1\n')
  }
  copyFileSync(join(directory, 'pool.csv'), join(parent, 'outside.csv'))
  const { started, startWorker } = fakeWorkers(() => ({
    inspect: async (path) => ({ rows: 1, path, ways }) as never,
    ...scripts,
  }))
  const host = projectHost({ directory, startWorker, log: () => {} })
  return { parent, directory, host, started }
}

const begin = {
  path: 'pool.csv',
  project: 'pool.alis',
  wishes: {},
  classes: [
    { name: 'a', key: '1' },
    { name: 'b', key: '2' },
  ],
  question: '?',
  guidelines: '',
  plan: { strategy: 'alis', batch: 5, budget: 20 },
  start: 5,
}

const elsewhere = (parent: string) => [
  '../outside.csv',
  '../here-other/pool.csv',
  join(parent, 'outside.csv'),
  join(parent, 'here-other/pool.csv'),
]

describe('files outside the directory', () => {
  it('are not inspected, though they are there', async () => {
    const { parent, directory, host, started } = hostIn()
    for (const path of elsewhere(parent)) {
      expect(existsSync(join(directory, path)) || existsSync(path)).toBe(true)
      await expect(host.inspect(path, {})).rejects.toThrow('must lie in')
    }
    expect(started).toEqual([])
    expect(await host.inspect('pool.csv', {})).toEqual({ rows: 1, path: 'pool.csv', ways })
    expect(started[0]!.calls).toEqual(['inspect'])
    await host.close()
  })

  it('are no pools of new projects, which lie nowhere else either', async () => {
    const { parent, directory, host } = hostIn()
    for (const path of elsewhere(parent)) await expect(host.begin({ ...begin, path })).rejects.toThrow('must lie in')
    for (const project of ['../new.alis', '../here-other/new.alis', join(parent, 'new.alis')])
      await expect(host.begin({ ...begin, project })).rejects.toThrow('must lie in')
    expect([readdirSync(directory), readdirSync(join(parent, 'here-other'))]).toEqual([['pool.csv'], ['pool.csv']])
    expect(host.session()).toBeUndefined()
  })

  it('are no projects to go on with', async () => {
    const { parent, host } = hostIn()
    const { path, close } = await begunProject(join(parent, 'here-other'))
    await close()
    for (const project of ['../here-other/letters.alis', path]) {
      await expect(host.begin({ project })).rejects.toThrow('must lie in')
    }
  })
})

describe('a project', () => {
  it('is begun, and then no other can be', async () => {
    const { directory, host, started } = hostIn()
    await host.inspect('pool.csv', {})
    await host.begin(begin)
    expect(started.map(({ isStopped }) => isStopped)).toEqual([true, false]) // the inspector made room
    expect(started[1]!.calls[0]).toBe('begin')
    expect(host.session()!.view()).toMatchObject({ path: 'pool.alis', question: '?' })
    await expect(host.begin({ ...begin, project: 'other.alis' })).rejects.toMatchObject({ status: 409, code: 'project-open' })
    await host.close()
    expect(started[1]!.isStopped).toBe(true)
    expect(existsSync(join(directory, 'pool.alis/project.sqlite'))).toBe(true)
  })

  it('that could not be begun leaves nothing behind, and another can be begun', async () => {
    let tries = 0
    const { directory, host } = hostIn({
      async begin() {
        if (tries++ === 0) throw new AlisError('bad-input', 'text: a column is required, got none')
        return { points: 1, features: 1, view: { kind: 'row' }, columns: [], directory: '/' }
      },
    })
    await expect(host.begin(begin)).rejects.toThrow('text: a column is required')
    expect([readdirSync(directory), host.session()]).toEqual([['pool.csv'], undefined])
    await host.begin(begin)
    expect(host.session()).toBeDefined()
    await host.close()
  })

  it('is new if a pool is named, and there if none is', async () => {
    const { directory, host } = hostIn()
    await expect(host.begin({ project: 'nothing.alis' })).rejects.toThrow('must be a project, got nothing there')
    await expect(host.begin({ ...begin, project: 'pool' })).rejects.toThrow('ends in .alis')
    const { close } = await begunProject(directory)
    await close()
    await expect(host.begin({ ...begin, project: 'letters.alis' })).rejects.toThrow('must be a new project')
    await host.begin({ project: 'letters.alis' })
    expect(host.session()!.view().name).toBe('letters')
    await host.close()
  })

  it('without a pool is refused, and closed again', async () => {
    const { directory, host } = hostIn()
    mkdirSync(join(directory, 'empty.alis'))
    for (let k = 0; k < 2; k++) await expect(host.begin({ project: 'empty.alis' })).rejects.toThrow('got one without a pool')
  })
})

it('of an export only its own files are given', async () => {
  const { directory, host } = hostIn({
    export: async () => ({ folder: join(directory, 'pool-export'), files: [{ file: 'labels.csv', rows: 1 }] }),
  })
  await host.begin(begin)
  expect(() => host.exportedFile('labels.csv')).toThrow(expect.objectContaining({ status: 404 }))
  expect(await host.export({ format: 'csv' }, host.session()!)).toEqual({
    folder: 'pool-export',
    files: [{ file: 'labels.csv', rows: 1 }],
  })
  expect(host.exportedFile('labels.csv')).toBe(join(directory, 'pool-export/labels.csv'))
  for (const file of ['../pool.alis/project.sqlite', 'model.json', ''])
    expect(() => host.exportedFile(file)).toThrow('export: a file of')
  await host.close()
})

describe('a file that was sent', () => {
  const refuse = () => {
    throw new AlisError('bad-input', 'sent.csv: must be a table, got none')
  }

  it('does not stay if it cannot be read, once another one comes', async () => {
    const { directory, host } = hostIn({ inspect: refuse })
    for (const name of ['sent.csv', 'next.csv', 'last.csv']) {
      writeFileSync(join(directory, name), 'nothing')
      await host.received(name)
      await expect(host.inspect(name, {})).rejects.toThrow('must be a table')
      expect(existsSync(join(directory, name))).toBe(true) // there may be another way to read it
    }
    expect(readdirSync(directory)).toEqual(['last.csv', 'pool.csv'])
    await host.close()
    expect(readdirSync(directory)).toEqual(['pool.csv']) // was there before
  })

  it('stays once it was read, whatever is asked of it then', async () => {
    let looks = 0
    const { directory, host } = hostIn({
      inspect: async () => (++looks > 1 ? refuse() : ({ rows: 1, path: join(directory, 'sent.csv'), ways } as never)),
    })
    writeFileSync(join(directory, 'sent.csv'), 'id,x\na,1\n')
    await host.received('sent.csv')
    await host.inspect('sent.csv', {})
    await expect(host.inspect('sent.csv', {})).rejects.toThrow('must be a table')
    expect(existsSync(join(directory, 'sent.csv'))).toBe(true)
    await host.close()
  })
})
