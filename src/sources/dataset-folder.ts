import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireInput } from '../core/errors.ts'
import { listed } from '../text/wording.ts'

/**
 * The files of a folder as Hugging Face datasets write it: Arrow files that `state.json` lists, splits in folders that `dataset_dict.json` lists, or
 * Parquet files named after their split. Undefined where it is no such folder.
 */
export async function datasetFiles(folder: string, split?: string): Promise<string[] | undefined> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.replace(/[/\\]+$/, '').length + 1)
        .replaceAll('\\', '/'),
    )
  if (files.includes('dataset_dict.json')) {
    const { splits } = (await jsonIn(join(folder, 'dataset_dict.json'))) as { splits?: readonly string[] }
    return datasetFiles(join(folder, chosenSplit(folder, splits ?? [], split)))
  }
  if (files.includes('state.json')) {
    const { _data_files: parts = [] } = (await jsonIn(join(folder, 'state.json'))) as {
      _data_files?: readonly { filename: string }[]
    }
    const missing = parts.find(({ filename }) => !files.includes(filename))
    requireInput(missing === undefined, `${folder}: the files in state.json are required, got none called ${missing?.filename}`)
    return parts.map(({ filename }) => join(folder, filename))
  }
  const parquet = files.filter((name) => /(^|\/)[^/]+\.parquet$/.test(name)).sort()
  if (parquet.length === 0) return undefined
  const splitOf = (name: string) => /([^/]+?)(?:-\d{5}-of-\d{5})?\.parquet$/.exec(name)![1]!
  const chosen = chosenSplit(folder, [...new Set(parquet.map(splitOf))], split)
  return parquet.filter((name) => splitOf(name) === chosen).map((name) => join(folder, name))
}

function chosenSplit(folder: string, splits: readonly string[], wanted: string | undefined): string {
  const chosen = wanted ?? (splits.length === 1 ? splits[0] : undefined)
  requireInput(
    chosen !== undefined && splits.includes(chosen),
    `${folder}: a split called ${listed(splits, 'or') || 'something'} is required, got ${wanted ?? 'none'}`,
    `Say which behind its name: ${folder}#split=${splits[0] ?? 'train'}.`,
  )
  return chosen
}

async function jsonIn(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    requireInput(false, `${path}: must be whole JSON, got a part or something else`)
  }
}
