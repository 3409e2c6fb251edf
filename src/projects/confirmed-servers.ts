import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { requireInput } from '../core/errors.ts'
import { hostText, isClickHouse, parseAddress } from '../engines/clickhouse/address.ts'
import { isRemote } from '../sources/remote.ts'
import { userFolder } from './user-folder.ts'

/** Servers by the project that may be read from there: in a file of this user, as a project that was made elsewhere may name any address. */
type Confirmed = Readonly<Record<string, readonly string[]>>

const fileIn = (folder: string) => join(folder, 'servers.json')

/** A server as a password is sent to it: who, by which way, to whom. None where a path leads to a file of this machine. */
export function serverOf(path: string): string | undefined {
  if (isClickHouse(path)) {
    const { isSecure, hosts, user } = parseAddress(path)
    return `${isSecure ? 'clickhouses' : 'clickhouse'}://${user}@${hosts.map(hostText).join(',')}`
  }
  if (isRemote(path) && URL.canParse(path)) {
    const { protocol, username, host } = new URL(path)
    return `${protocol}//${username ? `${username}@` : ''}${host}`
  }
  return /^[/\\]{2}[^/\\]/.exec(path) && process.platform === 'win32'
    ? path
        .split(/[/\\]+/)
        .slice(0, 2)
        .join('\\\\')
    : undefined
}

/** This user has named the server for this project, or said that it may be asked. */
export function confirmServer(project: string, path: string, folder = userFolder()): void {
  const server = serverOf(path)
  const known = readConfirmed(folder)
  const name = placeOf(project)
  if (server === undefined || known[name]?.includes(server)) return
  const file = fileIn(folder)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next: Confirmed = { ...known, [name]: [...(known[name] ?? []), server] }
  writeFileSync(`${file}.${process.pid}.part`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.${process.pid}.part`, file)
}

/** Refuses to ask a server for a pool that only the project names: it would be sent the password of this user. */
export function requireConfirmed(project: string, path: string, folder = userFolder()): void {
  const server = serverOf(path)
  requireInput(
    server === undefined || (readConfirmed(folder)[placeOf(project)]?.includes(server) ?? false),
    `${project}: a server that you have confirmed is required, got ${server}, which the project names`,
    `It would be sent your password. If you know it: alis trust ${project}`,
  )
}

function readConfirmed(folder: string): Confirmed {
  const file = fileIn(folder)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Confirmed) : {}
}

const placeOf = (project: string) => (existsSync(project) ? realpathSync(project) : resolve(project))
