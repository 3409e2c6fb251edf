import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { closing } from '../../core/closing.ts'
import { openZip } from '../../sources/zip.ts'
import { packedPictures } from './packed-pictures.ts'

const picture = (path: string, content: string) =>
  Object.defineProperty(new File([content], path.split('/').at(-1)!), 'webkitRelativePath', { value: path })

test.each([
  ['a folder', ['pets/cats/ä.png', 'pets/dogs/2.jpg', 'pets/notes.txt'], 'pets.zip', ['cats/ä.png', 'dogs/2.jpg']],
  ['some files', ['1.png', '2.webp'], 'pictures.zip', ['1.png', '2.webp']],
])('pictures of %s are one archive that can be read', async (_, paths, name, inside) => {
  const archive = await packedPictures(paths.map((path) => picture(path, `bytes of ${path}`)))
  expect(archive.name).toBe(name)
  const folder = mkdtempSync(join(tmpdir(), 'alis-packed-'))
  const path = join(folder, 'a.zip')
  writeFileSync(path, Buffer.from(await archive.arrayBuffer()))
  await closing(openZip(path), async ({ entries, read }) => {
    expect([...entries.keys()]).toEqual(inside)
    for (const entry of entries.values()) expect((await read(entry)).toString()).toContain(entry.name)
  })
  rmSync(folder, { recursive: true })
})
