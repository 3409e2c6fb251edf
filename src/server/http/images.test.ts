import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshDirectory } from '../../../test/endings.ts'
import { zipOf } from '../../../test/sources/zip-of.ts'
import type { Session } from '../session/session.ts'
import { imageOf } from './images.ts'

/** A pool in DIR/pool, whose only point has this in its cell. */
function imageIn(cell: string | undefined, view: object = { kind: 'image', column: 'file' }) {
  const outside = freshDirectory()
  const directory = join(outside, 'pool')
  mkdirSync(join(directory, 'pictures/folder.png'), { recursive: true })
  mkdirSync(join(outside, 'pool-other'))
  for (const name of [
    'pictures/a.png',
    'pictures/B.JPG',
    'pictures/e.svg',
    'pictures/notes.txt',
    '../next.png',
    '../pool-other/x.png',
  ])
    writeFileSync(join(directory, name), `bytes of ${name}`)
  writeFileSync(join(directory, 'pets.zip'), zipOf({ 'cats/a.png': 'bytes of pictures in an archive', 'notes.txt': 'no' }))
  symlinkSync(join(outside, 'next.png'), join(directory, 'pictures/link.png'))
  symlinkSync(join(directory, 'pictures/notes.txt'), join(directory, 'pictures/notes.png'))
  symlinkSync(join(directory, 'pictures/a.png'), join(directory, 'pictures/same.png'))
  const fields = cell === undefined ? {} : { file: cell.replace('OUTSIDE', outside) }
  return imageOf(
    { loaded: () => ({ view, directory }), worker: () => ({ fields: async () => [fields] }) } as unknown as Session,
    'p',
  )
}

describe('a picture', () => {
  it.each([
    ['pictures/a.png', 'image/png'],
    [' pictures/a.png ', 'image/png'],
    ['pictures/B.JPG', 'image/jpeg'],
    ['pictures/e.svg', 'image/svg+xml'],
    ['pictures/same.png', 'image/png'],
    ['OUTSIDE/pool/pictures/a.png', 'image/png'],
    ['pets.zip/cats/a.png', 'image/png'],
  ])('is a file below the pool: %s', async (cell, type) => {
    const image = await imageIn(cell)
    expect(image.type).toBe(type)
    expect(new TextDecoder().decode(image.bytes)).toMatch(/^bytes of pictures/)
  })

  it.each([
    '../next.png',
    'pictures/../../next.png',
    '../pool-other/x.png',
    'OUTSIDE/next.png',
    'pictures/link.png', // leads out
    'pictures/notes.txt',
    'pictures/notes.png', // leads to what is no picture
    'pictures/folder.png',
    'pictures/none.png',
    'pets.zip/notes.txt',
    'pets.zip/none.png',
    'pets.zip/../next.png',
    '../pets.zip/cats/a.png',
    'https://evil.example/x.png',
    '',
    undefined,
  ])('is no other: %s', async (cell) => {
    await expect(imageIn(cell)).rejects.toMatchObject({ status: 404, code: 'not-found' })
  })

  it('is there only where points are shown as pictures', async () => {
    await expect(imageIn('pictures/a.png', { kind: 'text', column: 'file' })).rejects.toMatchObject({ status: 404 })
  })
})
