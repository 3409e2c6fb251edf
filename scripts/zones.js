// Who may import whom. Run by the build: a rule that breaks fails it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const mathematics = ['losses', 'masses', 'designs', 'weights', 'bounds', 'certificates']
const pure = ['core', ...mathematics, 'learners', 'strategies']

/** Each zone: what it may import, what it may import types of only, and which packages it may use (all, if not said). */
const zones = {
  core: { imports: [], packages: ['@noble/hashes'] },
  ...Object.fromEntries(mathematics.map((zone) => [zone, { imports: ['core'], packages: [] }])),
  learners: { imports: ['core', 'losses'], packages: [] },
  strategies: { imports: ['core', ...mathematics, 'learners'], packages: [] },
  engines: { imports: ['core'], types: [...mathematics, 'learners', 'strategies'] },
  sources: { imports: ['core'] },
  features: { imports: ['core'], packages: [] },
  stores: { imports: ['core'] },
  oracles: { imports: ['core'] },
  'loop.ts': { imports: pure, types: ['engines', 'stores', 'oracles'], packages: [] },
  'given.ts': { imports: ['core'], types: ['engines', 'stores'], packages: [] },
  'audit.ts': { imports: pure, types: ['engines', 'stores', 'oracles'], packages: [] },
  projects: { imports: [...pure, 'engines', 'sources', 'features', 'stores', 'oracles', 'loop.ts', 'audit.ts', 'given.ts'] },
  compare: { imports: [...pure, 'engines', 'sources', 'features', 'stores', 'oracles', 'loop.ts', 'projects'] },
  protocol: { imports: [] },
  web: { imports: ['core'], types: ['protocol'], packages: ['react', 'react-dom', '@observablehq/plot'] }, // no zod in the page
}
const free = ['server', 'cli', 'index.ts', 'node.ts', 'kernels'] // where parts meet; and AssemblyScript, which knows no other file

const importLine = /^\s*(import|export)\s+(type\s+)?[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm

/** The broken rules among files given as a map from path below `src` to text. */
export function violations(files) {
  const broken = []
  for (const [path, text] of files) {
    const zone = path.split('/')[0]
    if (free.includes(zone)) continue
    const rule = zones[zone]
    if (!rule) {
      broken.push(`${path}: must lie in a zone, got ${zone}`)
      continue
    }
    for (const [, , isType, from, dynamic] of text.matchAll(importLine)) {
      const target = from ?? dynamic
      if (!target.startsWith('.')) {
        const isAllowed = !rule.packages || rule.packages.some((name) => target === name || target.startsWith(`${name}/`))
        if (!isAllowed) broken.push(`${path}: ${zone} may not use the package ${target}`)
        continue
      }
      const other = posix.join(dirname(path), target).split('/')[0]
      if (other === zone || rule.imports.includes(other) || (isType && rule.types?.includes(other))) continue
      broken.push(`${path}: ${zone} may not import ${isType ? 'types of ' : ''}${other} (${target})`)
    }
  }
  return broken
}

function sources(root) {
  const files = new Map()
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || /\.(test|contract)\.tsx?$/.test(entry.name)) continue
    const full = join(entry.parentPath, entry.name)
    files.set(relative(root, full).split(sep).join('/'), readFileSync(full, 'utf8'))
  }
  return files
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const broken = violations(sources(join(dirname(fileURLToPath(import.meta.url)), '..', 'src')))
  for (const line of broken) console.error(line)
  process.exitCode = broken.length > 0 ? 1 : 0
}
