import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { alisHere } from '../../in-process.ts'
import type { Attack, Try } from '../attack.ts'

const escapes = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e'
const forged = 'spam\nVerified: all is well'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
const lie = /^Verified: all is well/m

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/** Whatever a file says goes through everything that a command may say of it. */
const terminal: Attack = {
  name: 'names that a terminal would obey',
  async attack({ folder }) {
    const [ham, spam] = [`ham${escapes}`, forged]
    const [text, id, label, slice] = ['=1+1', 'id', `la${escapes}bel`, `re${escapes}gion`]
    const rows = Array.from({ length: 120 }, (_, i) => [
      `${escapes}${i}`,
      i % 3 ? ham : spam,
      i % 5 ? ham : spam,
      `${i % 7}`,
      escapes,
    ])
    const header = [id, label, `truth${escapes}`, text, slice]
    const pool = `pool${escapes.replace(/\//g, '')}.csv`
    writeFileSync(join(folder, pool), [header, ...rows].map((row) => row.map(quoted).join(',')).join('\n'))
    const seed = ['--seed', '1', '--budget', '40']
    const asked = ['--prediction', label, '--truth', header[2]!, '--by', slice]
    const project = `a${escapes}.alis`
    const commands: readonly (readonly string[])[] = [
      ['run', pool, '--label', label, '--project', project, '--rounds', '2', '--batch', '10'],
      ['run', pool, '--label', 'nothing'],
      ['status', project],
      ['status', project, '--json'],
      ['certify', project, ...seed],
      ['export', project],
      ['audit', pool, ...asked, ...seed, '--project', `b${escapes}.alis`, '--certificate', `c${escapes}.json`],
      ['audit', pool, ...asked, ...seed, '--json'],
      ['ask', `b${escapes}.alis`],
      ['verify', `c${escapes}.json`, '--pool', pool],
      ['verify', `c${escapes}.json`, '--pool', `${escapes}.csv`],
      ['compare', pool, '--label', label, '--seeds', '2', '--rounds', '1', '--strategies', 'alis,uniform'],
      [`${escapes}`],
      ['status', `${escapes}.alis`],
    ]
    const tries: Try[] = []
    for (const args of commands) {
      const { stdout, stderr } = await alisHere(args, { cwd: folder })
      const what = args.slice(0, 1).join(' ').replace(raw, '?')
      const found = raw.exec(stdout + stderr) ?? lie.exec(stdout + stderr)
      tries.push({ what, ...(found && { through: `${JSON.stringify(found[0])} was written` }) })
    }
    for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!/^(?:labels|predictions)\.csv$/.test(name)) continue
      const formula = /(?:^|,)"?[=@\t]/m.exec(readFileSync(join(parentPath, name), 'utf8'))
      tries.push({ what: `formulas in ${name}`, ...(formula && { through: `${JSON.stringify(formula[0])} was written` }) })
    }
    return tries
  },
}

export const attacks: readonly Attack[] = [terminal]
