import { basename, extname } from 'node:path'

/** NAME.alis for NAME.csv, NAME.csv.gz, NAME.xlsx#sheet=Inbox … */
export function projectNameFor(path: string): string {
  const file = path.replace(/#(?:sheet|table|split|encoding|decimal|header)=.*$/, '')
  const plain = /\.(?:gz|zst)$/i.test(file) ? file.slice(0, -extname(file).length) : file
  const name = basename(plain, extname(plain)).replace(/[*?[\]]+/g, '')
  return `${name || 'pool'}.alis`
}
