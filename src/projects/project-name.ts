import { basename, extname } from 'node:path'

/** NAME.alis for NAME.csv, NAME.csv.gz … */
export function projectNameFor(path: string): string {
  const plain = /\.(?:gz|zst)$/i.test(path) ? path.slice(0, -extname(path).length) : path
  const name = basename(plain, extname(plain)).replace(/[*?[\]]+/g, '')
  return `${name || 'pool'}.alis`
}
