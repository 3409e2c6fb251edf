// Makes a fresh clone ready, and a ready one in no time: dependencies (Node 24 among them), then the build.
// Plain JavaScript for whatever Node is at hand; `npm start` and `npm test` call it first, the latter with `--browser --clickhouse`.
import { execSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, noChromium } from './chromium.js'
import { findClickHouse, installLibrary, noClickHouse } from './clickhouse.js'

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'))
const stamps = join('node_modules', '.alis-setup')

/** Runs a step only if its inputs changed since it last succeeded. */
function step(name, { inputs, output, command }) {
  const stamp = join(stamps, name)
  const now = fingerprint(inputs)
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  console.error(`alis: ${command}`)
  execSync(command, { stdio: ['ignore', 2, 2] })
  mkdirSync(stamps, { recursive: true })
  writeFileSync(stamp, now)
}

function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesBelow).sort()) hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

function filesBelow(path) {
  if (path.endsWith(join('kernels', 'built'))) return [] // made by the build
  if (statSync(path).isFile()) return [path]
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
}

// Mostly waiting: beside the steps.
const installing = Promise.all([installPrograms(), isAsked('--clickhouse') && installLibrary()])
step('install', {
  inputs: ['package.json', 'package-lock.json'],
  output: join('node_modules', '.bin', 'tsc'),
  // Only `node` needs its install script; others would reach for a compiler or the network.
  command: 'npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm rebuild node --loglevel=error',
})
step('build', {
  inputs: ['src', 'scripts', 'tsconfig.base.json', 'tsconfig.build.json', 'vite.config.ts', 'package-lock.json'],
  output: join('dist', 'cli', 'main.js'),
  command: 'npm run --silent build',
})
await installing
if (isAsked('--browser') && !findChromium()) console.error(`alis: ${noChromium}`)
if (isAsked('--clickhouse') && !findClickHouse()) console.error(`alis: ${noClickHouse}`)

/** Begins to install programs from Debian's packages, where that is possible. Elsewhere the other tests can still run: those that need one say so. */
function installPrograms() {
  const { CHROMIUM_PATH, CLICKHOUSE_PATH } = process.env
  const packages = [
    ...(isAsked('--browser') && !CHROMIUM_PATH && !findChromium() ? [['chromium-headless-shell', 'chromium']] : []),
    ...(isAsked('--clickhouse') && !CLICKHOUSE_PATH && !findClickHouse() ? [['clickhouse-server']] : []),
  ]
  const isDebian = existsSync('/usr/bin/apt-get') && process.getuid() === 0
  if (!isDebian || packages.length === 0) return
  const install = packages.map((names) =>
    names.map((name) => `apt-get install -y -qq --no-install-recommends ${name}`).join(' || '),
  )
  const command = ['apt-get update -qq', ...install].join('; ')
  console.error(`alis: ${command}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return once(spawn('sh', ['-c', command], { stdio: ['ignore', 2, 2], env }), 'exit')
}

function isAsked(option) {
  return process.argv.includes(option)
}
