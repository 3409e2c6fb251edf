import { requireInput } from '../../core/errors.ts'

/** Where a pool lies on ClickHouse: `clickhouse://user@host:port,host:port/database/table`. */
export interface ClickHouseAddress {
  readonly isSecure: boolean
  /** Any of them answers queries; the others are there should one fail. */
  readonly hosts: readonly Host[]
  readonly user: string
  readonly database: string
  readonly table: string
}

export interface Host {
  readonly name: string
  readonly port: number
}

const shape = 'clickhouse://user@host:port/database/table'

/** Whether a pool is named by an address rather than by a path. */
export const isClickHouse = (pool: string): boolean => /^clickhouses?:/i.test(pool)

export function parseAddress(given: string): ClickHouseAddress {
  const found = /^(clickhouses?):\/\/(?:([^@/]*)@)?([^@/]+)\/([^/?#]+)\/([^/?#]+)$/i.exec(given)
  requireInput(
    found !== null,
    `pool: an address like ${shape} is required, got ${JSON.stringify(withoutPassword(given))}`,
    'Several hosts are separated by commas; clickhouses:// is TLS.',
  )
  const [, scheme, user = '', hosts, database, table] = found
  requireInput(
    !user.includes(':'),
    `pool: an address without a password is required, got one with a password`,
    'Addresses end up in records and in the history of shells. Put the password into ALIS_CLICKHOUSE_PASSWORD.',
  )
  const isSecure = scheme!.toLowerCase() === 'clickhouses'
  return {
    isSecure,
    hosts: hosts!.split(',').map((host) => parseHost(host, isSecure ? 8443 : 8123)),
    user: decoded(user) || 'default',
    database: decoded(database!),
    table: decoded(table!),
  }
}

/** The address as it goes on record: in one spelling, and never with a secret. */
export function addressText({ isSecure, hosts, user, database, table }: ClickHouseAddress): string {
  const [who, ...path] = [user, database, table].map(encodeURIComponent)
  return `clickhouse${isSecure ? 's' : ''}://${who}@${hosts.map(hostText).join(',')}/${path.join('/')}`
}

export const hostText = ({ name, port }: Host): string => `${name.includes(':') ? `[${name}]` : name}:${port}`

function parseHost(given: string, usual: number): Host {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(given)
  const port = Number(found?.[3] ?? usual)
  requireInput(
    found !== null && port > 0 && port < 65536,
    `pool: a host with its port is required, got ${JSON.stringify(given)}`,
    `The address of a pool is ${shape}.`,
  )
  return { name: (found[1] ?? found[2])!, port }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    requireInput(false, `pool: % in an address must begin a code such as %20, got ${JSON.stringify(part)}`)
  }
}

const withoutPassword = (given: string): string => given.replace(/:[^:@/]*@/, ':…@')
