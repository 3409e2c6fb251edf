import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { AlisError, requireInput } from '../core/errors.ts'
import { datasetFiles } from './dataset-folder.ts'
import { type Database, readRows } from './duckdb.ts'
import { type FileReading, splitReading } from './file-reading.ts'
import { picturesIn } from './pictures.ts'
import { sqlString } from './table-file.ts'

export type Format =
  | 'csv'
  | 'tsv'
  | 'json'
  | 'jsonl'
  | 'parquet'
  | 'arrow'
  | 'duckdb'
  | 'excel'
  | 'pictures'
  | 'inspect'
  | 'sqlite'
  | 'svm'
  | 'npy'
  | 'npz'
export type Compression = 'none' | 'gzip' | 'zstd'

export interface DataFile {
  readonly path: string
  readonly format: Format
  readonly compression: Compression
  readonly bytes: number
  /** Changes when the file does. */
  readonly stamp: string
  /** How it is to be read, where that was said behind its name. */
  readonly reading?: FileReading
  /** A file that names its rows, one a line, beside an array that cannot. */
  readonly beside?: string
  /** Whether it is a folder, of pictures. */
  readonly isFolder?: true
}

/** The file of this name, or else all files a pattern such as `data/*.csv` matches, sorted by path. */
export async function findFiles(database: Database, path: string): Promise<DataFile[]> {
  const parts = await partsOfDataset(path)
  if (parts) return Promise.all(parts.map(describeFile))
  const named = await namedFile(path)
  if (named) return [named]
  const { file: pattern, reading } = splitReading(path)
  const matches = await readRows(database, `SELECT file FROM glob(${sqlString(pattern)})`)
  const hint = 'Check the pattern; it is relative to the current directory.'
  requireInput(matches.length > 0, `${path}: must match a file or more, got none`, hint)
  const paths = matches.map(([file]) => String(file)).sort()
  const files = await Promise.all(paths.map(describeFile))
  return pattern === path ? files : files.map((file) => readAs(file, reading))
}

/** The files of a folder that is a dataset; undefined where it is none. */
async function partsOfDataset(path: string): Promise<string[] | undefined> {
  if (await isFolder(path)) return datasetFiles(path)
  if ((await isThere(path)) || !path.includes('#')) return undefined
  const { file, reading } = splitReading(path)
  return (await isFolder(file)) ? datasetFiles(file, reading.split) : undefined
}

/** The file of this name; undefined where it is a pattern, or a folder of several. */
export async function namedFile(path: string): Promise<DataFile | undefined> {
  if (await partsOfDataset(path)) return undefined
  if (await isThere(path)) return describeFile(path)
  const { file, reading } = splitReading(path)
  if (!(await isThere(file)) && /[*?[]/.test(file)) return undefined
  const found = await describeFile(file)
  return file === path ? found : readAs(found, reading)
}

const asText: readonly Format[] = ['csv', 'tsv', 'excel', 'pictures']
const databases: readonly Format[] = ['duckdb', 'sqlite']

/** How text is read says nothing to files whose cells have types; of a database, a table may be named. */
function readAs(file: DataFile, reading: FileReading): DataFile {
  const { path, format } = file
  const isTable = databases.includes(format) && Object.keys(reading).join() === 'table'
  requireInput(isTable || asText.includes(format), `${path}: a file of text is required to be read in another way, got ${format}`)
  return { ...file, reading }
}

/** How many bytes a file has. Refuses what is none: to open a pipe would be to wait. */
export async function requireFile(path: string, directoryHint?: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  requireInput(found !== undefined, `${path}: must be a file, got nothing there`, 'Check the spelling of the path.')
  requireInput(!found.isDirectory(), `${path}: must be a file, got a directory`, directoryHint)
  requireInput(found.isFile(), `${path}: must be a file, got something else`)
  return found.size
}

const isThere = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false)

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function describeFile(path: string): Promise<DataFile> {
  if (await isFolder(path)) return describeFolder(path)
  const bytes = await requireFile(path, 'For all files in it, give a pattern: "folder/*.csv".')
  const kind = formatOf(path)
  requireInput(bytes > 0, `${path}: must hold rows, got an empty file`, 'Check that it was written completely.')
  const beside = path.replace(/\.npy$/i, '.ids.txt')
  const isNamed = kind.format === 'npy' && (await isThere(beside))
  return { path, ...kind, bytes, stamp: await stampOf(path), ...(isNamed && { beside }) }
}

/** A folder of pictures is a table of them. */
async function describeFolder(path: string): Promise<DataFile> {
  const pictures = await picturesIn(path, true)
  const hint = 'For all files in it, give a pattern: "folder/*.csv". A folder of pictures is a table of them.'
  requireInput(pictures.length > 0, `${path}: must be a file, got a directory`, hint)
  const bytes = pictures.reduce((sum, picture) => sum + picture.bytes, 0)
  return { path, format: 'pictures', compression: 'none', bytes: Math.max(1, bytes), stamp: await stampOf(path), isFolder: true }
}

const formats: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.txt': 'csv',
  '.tsv': 'tsv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.parquet': 'parquet',
  '.arrow': 'arrow',
  '.arrows': 'arrow',
  '.feather': 'arrow',
  '.ipc': 'arrow',
  '.duckdb': 'duckdb',
  '.xlsx': 'excel',
  '.xlsm': 'excel',
  '.zip': 'pictures',
  '.eval': 'inspect',
  '.sqlite': 'sqlite',
  '.sqlite3': 'sqlite',
  '.db': 'sqlite',
  '.svm': 'svm',
  '.libsvm': 'svm',
  '.svmlight': 'svm',
  '.npy': 'npy',
  '.npz': 'npz',
}
const compressions: Readonly<Record<string, Compression>> = { '.gz': 'gzip', '.zst': 'zstd' }

const packedInside: readonly Format[] = ['parquet', 'arrow', 'duckdb', 'excel', 'pictures', 'inspect', 'sqlite', 'npy', 'npz']

function formatOf(path: string): Pick<DataFile, 'format' | 'compression'> {
  const last = extname(path).toLowerCase()
  const compression = compressions[last] ?? 'none'
  const ending = compression === 'none' ? last : extname(path.slice(0, -last.length)).toLowerCase()
  const format = formats[ending]
  const isPackedInside = format !== undefined && packedInside.includes(format)
  if (format && !(isPackedInside && compression !== 'none')) return { format, compression }
  const hint =
    'Known are .csv, .tsv, .txt, .json, .jsonl and .ndjson, each also with .gz or .zst, and .parquet, .arrow, .feather, .ipc, .duckdb, .sqlite, .xlsx, .libsvm, .npy, .npz, .eval, and .zip of pictures.'
  const got = ending === '' ? 'none' : `"${path.slice(-(ending.length + (compression === 'none' ? 0 : last.length)))}"`
  throw new AlisError('bad-input', `${path}: must have a known ending, got ${got}`, hint)
}

/** Changes when any of the files does that a path or pattern stands for, and when there are others. */
export async function stampOfFiles(database: Database, path: string): Promise<string> {
  return JSON.stringify((await findFiles(database, path)).map((file) => [file.path, file.stamp]))
}

export async function requireUnchanged(files: readonly DataFile[]): Promise<void> {
  for (const { path, stamp } of files) {
    const isSame = (await stampOf(path)) === stamp // or ids of one file would meet the features of another
    requireInput(isSame, `${path}: must stay as it is while open, got a changed file`, 'Run again: something wrote to it.')
  }
}

async function stampOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found ? `file ${found.ino} of ${found.size} bytes at ${found.mtimeNs}` : 'nothing'
}
