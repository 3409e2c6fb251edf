import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { readSheet } from './excel.ts'
import { readBeginning, unpacked } from './file-hash.ts'
import type { DataFile } from './files.ts'
import type { OpeningFile } from './opening.ts'
import { pictureTable } from './pictures.ts'

/** A file as delimited text in UTF-8: itself, or what a workbook, pictures or text in another encoding come to, on scratch. */
export async function plainText(file: DataFile, { scratch }: Pick<OpeningFile, 'scratch'>): Promise<DataFile> {
  const { path, format, reading, isFolder = false } = file
  if (format === 'excel') return written(file, await readSheet(path, reading?.sheet), await scratch.name())
  if (format === 'pictures') return written(file, await pictureTable(path, isFolder), await scratch.name())
  const encoding = reading?.encoding ?? (await utf16In(file))
  if (encoding === undefined || encoding === 'utf-8') return file
  const copy = await scratch.name()
  await pipeline(unpacked(file), (chunks) => decoded(chunks, encoding), createWriteStream(copy))
  return { ...file, path: copy, compression: 'none' }
}

async function written(file: DataFile, rows: readonly (readonly string[])[], copy: string): Promise<DataFile> {
  const lines = rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()}\n`)
  await writeFile(copy, lines.join(''))
  return { ...file, path: copy, format: 'csv', compression: 'none' }
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** UTF-16, by its mark, or by the empty half of its first letter. */
async function utf16In(file: DataFile): Promise<string | undefined> {
  const [first, second] = await readBeginning(file)
  if ((first === 0xff && second === 0xfe) || (first !== undefined && first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined)) return 'utf-16be'
  return undefined
}
