// Completes package-lock.json after a change of dependencies: `npm run lock`.
//
// A registry mirror may lack the builds that a package offers for other platforms. npm then leaves them out of the lock
// file, and `npm ci` refuses the file. Here they are written in by name and version, with the platform their name tells,
// so that the same file serves every machine. Each has the hash of its contents, where the registry knows it: run this
// where the registry lacks nothing, and none is missing. A hash that is there stays there.
import { execFile, execSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const before = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
execSync('npm install --package-lock-only --ignore-scripts --no-audit --no-fund', { stdio: 'inherit' })
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
let added = 0
for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`
    if (lock.packages[path] || !/^\d/.test(version)) continue
    lock.packages[path] = { version, ...(dev && { dev }), optional: true, ...platformOf(name) }
    added++
  }
}
const unknown = await addHashes(lock.packages)
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
console.log(`package-lock.json: ${added} packages of other platforms added`)
if (unknown.length > 0)
  console.log(`the registry here does not know the contents of ${unknown.length}:\n  ${unknown.join('\n  ')}`)

/** Fills in what is missing, and says of which packages it could not be had. */
async function addHashes(packages) {
  const missing = Object.keys(packages).filter((path) => path !== '' && !packages[path].integrity)
  const found = await Promise.all(
    missing.map(async (path) => {
      const { version } = packages[path]
      const name = path.replace(/^.*node_modules\//, '')
      const integrity = before[path]?.version === version ? before[path].integrity : undefined
      packages[path] = withHash(packages[path], integrity ?? (await hashOf(`${name}@${version}`)))
      return packages[path].integrity ? [] : [`${name} ${version}`]
    }),
  )
  return found.flat()
}

function withHash({ version, ...rest }, integrity) {
  return { version, ...(integrity && { integrity }), ...rest }
}

async function hashOf(name) {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', name, 'dist.integrity'])
    return /^sha512-[\w+/]+={0,2}$/.exec(stdout.trim())?.[0]
  } catch {
    return undefined
  }
}

function platformOf(name) {
  const words = name.split(/[-/]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor)).slice(0, 1)
  const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}
  return { ...(os.length > 0 && { os }), ...(cpu.length > 0 && { cpu }), ...libc }
}
