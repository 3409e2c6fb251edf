// The licence texts of all that a bundle contains, as a file beside it: whoever hands on the bundle hands these on too.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A plugin of Vite that writes `licences.txt` of every package of which anything is in the bundle. */
export function licences() {
  return {
    name: 'licences',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? Object.keys(part.modules) : []))
      const folders = [...new Set(modules.flatMap((path) => packageOf(path) ?? []))].sort()
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: licencesOf(folders) })
    },
  }
}

/** The folder of the package that a module is of. */
const packageOf = (path) => /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(path)?.[1]

/** One after another, under name and version. A package without a text of its licence has no place in a bundle. */
export function licencesOf(folders) {
  return folders.map((folder) => `${titleOf(folder)}\n\n${textOf(folder)}\n`).join(`\n${'─'.repeat(72)}\n\n`)
}

function titleOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version}, ${license}`
}

function textOf(folder) {
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name))
  if (files.length === 0) throw new Error(`${folder}: the text of a licence is required, got none`)
  return files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n')
}
