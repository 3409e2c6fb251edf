import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshDirectory } from '../../../test/endings.ts'
import { begunProject, opening } from '../../../test/server/fixture.ts'
import { filesIn, receive } from './start-files.ts'

const bodyOf = (...chunks: string[]) => ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)))

describe('files in a directory', () => {
  it('are those that could be a pool, and projects with their answers', async () => {
    const directory = freshDirectory()
    const pools = ['a.csv', 'b.TSV', 'c.jsonl.gz', 'd.ndjson.zst', 'e.parquet', 'f.arrow', 'g.json', 'h.txt']
    for (const name of [...pools, 'x.sh', 'csv', 'y.csv.bak', 'z.parquet.gz']) writeFileSync(join(directory, name), '12345')
    mkdirSync(join(directory, 'folder.csv'))
    mkdirSync(join(directory, 'looks-like.alis'))
    const project = await begunProject(directory)
    await project.openRound(opening(0, ['a', 'b']))
    await project.answer(0, 'a', 'yes')
    expect(await filesIn(directory)).toEqual({
      directory,
      pools: pools.sort().map((path) => ({ path, bytes: 5 })),
      projects: [{ path: 'letters.alis', answers: 1 }],
    })
  })
})

describe('projects', () => {
  it('are listed and not looked into where that would take long', async () => {
    const directory = freshDirectory()
    await begunProject(directory)
    let seconds = 0
    expect((await filesIn(directory, () => 1_000 * seconds++)).projects).toEqual([{ path: 'letters.alis' }])
    mkdirSync(join(directory, 'large.alis'))
    writeFileSync(join(directory, 'large.alis/project.sqlite'), Buffer.alloc(9 * 1024 ** 2))
    expect((await filesIn(directory)).projects).toEqual([{ path: 'large.alis' }, { path: 'letters.alis', answers: 0 }])
  })
})

describe('an upload', () => {
  it('becomes a file of its name', async () => {
    const directory = freshDirectory()
    expect(await receive(directory, 'pool.csv', bodyOf('a,b\n', '1,2\n'))).toEqual({ path: 'pool.csv', isNew: true })
    expect(readFileSync(join(directory, 'pool.csv'), 'utf8')).toBe('a,b\n1,2\n')
  })

  it('writes over nothing: another file goes beside the one of its name, and the same one is used again', async () => {
    const directory = freshDirectory()
    writeFileSync(join(directory, 'pool.csv.gz'), 'first')
    const send = (text: string) => receive(directory, 'pool.csv.gz', bodyOf(text))
    expect(await send('other')).toEqual({ path: 'pool-2.csv.gz', isNew: true })
    expect(await send('first')).toEqual({ path: 'pool.csv.gz', isNew: false })
    expect(await send('other')).toEqual({ path: 'pool-2.csv.gz', isNew: false })
    expect(readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))).toEqual(['other', 'first'])
  })

  it.each(['../x.csv', 'a/b.csv', 'a\\b.csv', '.x.csv', '..', '', 'x.sh', 'x.csv\0', `${'x'.repeat(197)}.csv`])(
    'may not be named %j',
    async (name) => {
      const directory = join(freshDirectory(), 'inner')
      mkdirSync(directory)
      await expect(receive(directory, name, bodyOf('x'))).rejects.toMatchObject({ code: 'bad-input' })
      expect([readdirSync(directory), existsSync(join(directory, '../x.csv'))]).toEqual([[], false])
    },
  )

  it('leaves nothing behind if it does not arrive whole', async () => {
    const directory = freshDirectory()
    const torn = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new Uint8Array(10)),
      pull: (stream) => stream.error(new Error('gone')),
    })
    await expect(receive(directory, 'pool.csv', torn)).rejects.toThrow('gone')
    expect(readdirSync(directory)).toEqual([])
    await expect(receive(directory, 'pool.csv', null)).rejects.toMatchObject({ code: 'bad-input' })
  })
})
