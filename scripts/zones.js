// Who may import whom. Run by the build: a rule that breaks fails it. `npm run map` draws it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const mathematics = ['losses', 'masses', 'designs', 'weights', 'bounds', 'metrics', 'certificates']
const interfaces = ['engines', 'stores', 'oracles'] // of which the loops know types only
const pure = ['core', 'text', ...mathematics, 'questions', 'learners', 'strategies', 'running']
const adapters = [
  'engines',
  'engines/sql',
  'engines/duckdb',
  'engines/clickhouse',
  'engines/kernels',
  'sources',
  'features',
  'embeddings',
  'stores',
  'programs',
  'oracles',
  'elsewhere',
]
const loops = ['loop.ts', 'audit.ts', 'import-labels.ts']
const parts = [...pure, ...adapters, ...loops]

/** What every folder of the page may import that has words. */
const words = ['text', 'web/text']

/** The folders of the page, each with what it imports beside words: only folders above it. It knows types of the protocol, and so needs no zod. */
const pageFolders = {
  'web/state': [],
  'web/api': ['web/state'],
  'web/keys': ['web/state'],
  'web/parts': ['web/api'],
  'web/shell': ['web/state', 'web/api', 'web/keys', 'web/parts'],
  'web/plots': ['web/parts', 'web/plots/drawings'],
  'web/now': ['web/parts', 'web/plots', 'web/plots/drawings'],
  'web/start': ['losses', 'metrics', 'web/api', 'web/parts', 'web/shell', 'web/plots', 'web/plots/drawings', 'web/now'],
  'web/label': ['web/state', 'web/api', 'web/keys', 'web/parts', 'web/shell', 'web/now'],
  'web/report': ['metrics', 'web/api', 'web/parts', 'web/now'],
  'web/certificate': ['metrics', 'questions', 'web/api', 'web/parts', 'web/shell', 'web/plots', 'web/report'],
  'web/certify': ['metrics', 'questions', 'web/api', 'web/parts', 'web/shell', 'web/plots', 'web/label', 'web/certificate'],
  'web/progress': [
    'metrics',
    'questions',
    'web/api',
    'web/parts',
    'web/shell',
    'web/plots',
    'web/plots/drawings',
    'web/now',
    'web/certificate',
    'web/certify',
    'web/report',
  ],
  'web/data': ['web/api', 'web/keys', 'web/parts', 'web/shell'],
}
const page = Object.fromEntries(
  Object.entries({ ...pageFolders, web: Object.keys(pageFolders) }).map(([zone, imports]) => [
    zone,
    { imports: [...words, ...imports], types: ['protocol'], packages: ['react', ...(zone === 'web' ? ['react-dom'] : [])] },
  ]),
)

/**
 * Every folder that holds files, in the order of the house: a room may import only what stands above it, so that no two can need each
 * other. Each says what it may import, what it may import types of only, and which packages it may use (all, if not said).
 */
export const zones = {
  core: { imports: [], packages: ['@noble/hashes', '@noble/curves'] },
  text: { imports: ['core'], packages: [] },
  ...Object.fromEntries(mathematics.map((zone) => [zone, { imports: ['core'], packages: [] }])),
  certificates: { imports: ['core', 'text', 'metrics'], packages: [] },
  questions: { imports: ['core', 'text', 'losses', 'metrics', 'certificates'], packages: [] },
  learners: { imports: ['core', 'losses'], packages: [] },
  strategies: { imports: ['core', ...mathematics, 'learners'], packages: [] },
  features: { imports: ['core'], packages: [] },
  sources: { imports: ['core', 'text'] },
  embeddings: { imports: ['core', 'features'], types: ['sources'] },
  stores: { imports: ['core'] },
  programs: { imports: ['core'] },
  oracles: { imports: ['core', 'programs'] },
  elsewhere: { imports: ['core', 'programs', 'learners'] },
  engines: { imports: ['core'], types: [...mathematics, 'questions', 'learners', 'strategies'], packages: [] },
  'engines/sql': { imports: ['core', 'engines'], types: mathematics, packages: [] },
  'engines/duckdb': { imports: ['core', 'sources', 'engines', 'engines/sql'], types: mathematics },
  'engines/clickhouse': { imports: ['core', 'engines', 'engines/sql'], types: mathematics },
  'engines/kernels': { imports: ['core', 'engines'], types: mathematics },
  'engines/kernels/assembly': { imports: [], packages: [] }, // AssemblyScript, which knows no other file
  running: { imports: ['core', 'losses', 'certificates', 'questions'], types: ['engines', 'stores'], packages: [] },
  'loop.ts': { imports: pure, types: interfaces, packages: [] },
  'audit.ts': { imports: pure, types: interfaces, packages: [] },
  'import-labels.ts': { imports: ['core'], types: interfaces, packages: [] },
  'projects/pools': { imports: parts },
  'projects/scores': { imports: [...parts, 'projects/pools'] },
  'projects/predictions': { imports: [...parts, 'projects/pools'] },
  'projects/report': { imports: parts },
  projects: { imports: [...parts, 'projects/pools', 'projects/scores', 'projects/predictions', 'projects/report'] },
  'projects/export': { imports: [...parts, 'projects', 'projects/pools'] },
  compare: { imports: [...parts, 'projects', 'projects/pools', 'projects/export'] },
  protocol: { imports: ['metrics'], types: ['certificates', 'questions'], packages: ['zod', '@hono/zod-openapi'] },
  server: { imports: [...parts, 'protocol'] },
  'server/worker': {
    imports: [
      ...parts,
      'protocol',
      'projects',
      'projects/pools',
      'projects/predictions',
      'projects/report',
      'projects/export',
      'server',
    ],
  },
  'server/session': { imports: [...parts, 'protocol', 'projects', 'projects/pools', 'server', 'server/worker'] },
  'server/http': {
    imports: [
      'core',
      'text',
      'sources',
      'protocol',
      'projects',
      'projects/pools',
      'projects/export',
      'server',
      'server/worker',
      'server/session',
    ],
  },
  'cli/terminal': { imports: ['core', 'text'], types: ['projects/pools'] },
  'cli/options': {
    imports: [
      'core',
      'text',
      'losses',
      'metrics',
      'questions',
      'strategies',
      'learners',
      'oracles',
      'sources',
      'engines/clickhouse',
      'projects/pools',
    ],
    types: ['certificates', 'elsewhere', 'engines', 'projects/predictions'],
  },
  'cli/reports': {
    imports: [
      'core',
      'text',
      'features',
      'metrics',
      'losses',
      'strategies',
      'certificates',
      'questions',
      'projects',
      'projects/pools',
      'compare',
      'cli/terminal',
    ],
    types: ['bounds', 'strategies', 'audit.ts'],
  },
  'cli/commands': {
    imports: [
      ...parts,
      'projects',
      'projects/pools',
      'projects/predictions',
      'projects/report',
      'projects/export',
      'compare',
      'server/session',
      'server/http',
      'cli/terminal',
      'cli/options',
      'cli/reports',
    ],
  },
  cli: { imports: ['core', 'text', 'projects', 'cli/reports', 'cli/commands'] },
  'web/plots/drawings': { imports: ['text'], types: ['protocol'], packages: ['@observablehq/plot'] },
  'web/text': { imports: ['text', 'metrics', 'questions'], types: ['protocol', 'web/plots/drawings'], packages: [] },
  'web/verify': {
    imports: ['core', 'text', 'metrics', 'certificates', 'questions', 'engines'],
    packages: [],
  },
  ...page,
  'index.ts': { imports: parts },
  'node.ts': { imports: [...parts, 'projects/scores'] },
}

const importLine = /^\s*(import|export)\s+(type\s+)?[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm

/** The room of a file, given by its path below `src`; undefined if its folder is none. */
export function zoneOf(path) {
  const folder = posix.dirname(path)
  const zone = folder === '.' ? path : folder
  return Object.hasOwn(zones, zone) ? zone : undefined
}

/** Every import of a file's own text: of which package or room, and whether of types only. */
export function importsOf(path, text) {
  return [...text.matchAll(importLine)].map(([, , isType, from, dynamic]) => {
    const target = from ?? dynamic
    if (!target.startsWith('.')) return { target, package: target, isType: isType !== undefined }
    return { target, zone: zoneOf(posix.join(dirname(path), target)), isType: isType !== undefined }
  })
}

/** The broken rules among files given as a map from path below `src` to text. */
export function violations(files) {
  const broken = []
  for (const [path, text] of files) {
    const zone = zoneOf(path)
    if (!zone) {
      broken.push(`${path}: must lie in a room, got ${posix.dirname(path)}`)
      continue
    }
    const { imports, types = [], packages } = zones[zone]
    for (const { target, package: name, zone: other, isType } of importsOf(path, text)) {
      if (name !== undefined) {
        const isAllowed = !packages || packages.some((each) => name === each || name.startsWith(`${each}/`))
        if (!isAllowed) broken.push(`${path}: ${zone} may not use the package ${name}`)
        continue
      }
      if (other === zone || imports.includes(other) || (isType && types.includes(other))) continue
      broken.push(`${path}: ${zone} may not import ${isType ? 'types of ' : ''}${other ?? 'what is no room'} (${target})`)
    }
  }
  return broken
}

/** Rules that would let two rooms need each other: what a room may import must stand above it. */
export function backArrows(rules = zones) {
  const order = Object.keys(rules)
  return order.flatMap((zone, at) =>
    [...rules[zone].imports, ...(rules[zone].types ?? [])]
      .filter((other) => order.indexOf(other) >= at || !order.includes(other))
      .map((other) => `${zone}: must stand below what it imports, got ${other}`),
  )
}

/** All files of `src` but tests, as a map from path to text. */
export function sources(root = join(dirname(fileURLToPath(import.meta.url)), '..', 'src')) {
  const files = new Map()
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || /\.(test|contract)\.tsx?$/.test(entry.name)) continue
    const full = join(entry.parentPath, entry.name)
    files.set(relative(root, full).split(sep).join('/'), readFileSync(full, 'utf8'))
  }
  return files
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const broken = [...backArrows(), ...violations(sources())]
  for (const line of broken) console.error(line)
  process.exitCode = broken.length > 0 ? 1 : 0
}
