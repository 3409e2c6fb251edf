import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findClickHouse, noClickHouse } from '../../scripts/clickhouse.js'
import { type Connection, connectTo } from '../../src/engines/clickhouse/connection.ts'
import { failureFrom } from '../../src/engines/clickhouse/failures.ts'

/** Servers on this machine, one shard each, and a cluster over them that all of them know as `alis`. */
export interface Cluster {
  /** The address of a table by the first server. */
  address(table: string): string
  readonly shards: readonly ShardServer[]
  /** Where it speaks TLS: the port of the first server, and the certificate of the authority that signed its own. */
  readonly secure?: { readonly port: number; readonly authority: string }
  close(): Promise<void>
}

export interface ShardServer {
  readonly httpPort: number
  readonly tcpPort: number
  /** Runs a statement on this server. */
  run(sql: string): Promise<readonly (readonly unknown[])[]>
  /** Ends it as a failing machine would. */
  kill(): Promise<void>
  /** Lets it hang, and go on. */
  freeze(): void
  thaw(): void
  start(): Promise<void>
  pid(): number | undefined
}

export const password = 'sesame "\'\\ é'

/** Starts so many servers in a directory of their own. `isSecure`: the first speaks TLS too. */
export async function startCluster(size = 3, { isSecure = false } = {}): Promise<Cluster> {
  const program = findClickHouse()
  if (!program) throw new Error(noClickHouse)
  const folder = await mkdtemp(join(tmpdir(), 'alis-cluster-'))
  const ports = await freePorts(2 * size + 1)
  const tcpPorts = ports.slice(size, 2 * size)
  const signed = isSecure ? { port: ports.at(-1)!, ...(await signedCertificate(folder)) } : undefined
  const shards = await Promise.all(
    tcpPorts.map(async (tcpPort, k) => {
      const place = join(folder, `shard${k + 1}`)
      await mkdir(place)
      await writeFile(join(place, 'users.xml'), users)
      await writeFile(
        join(place, 'config.xml'),
        config({ place, httpPort: ports[k]!, tcpPort, tcpPorts, ...(k === 0 && signed && { signed }) }),
      )
      return shardServer(program, place, ports[k]!, tcpPort)
    }),
  )
  const close = async () => {
    await Promise.all(shards.map((shard) => shard.kill()))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all(shards.map((shard) => shard.start()))
  } catch (error) {
    await close()
    throw error
  }
  const address = (table: string) => `clickhouse://127.0.0.1:${ports[0]}/default/${encodeURIComponent(table)}`
  return { address, shards, close, ...(signed && { secure: { port: signed.port, authority: signed.authority } }) }
}

function shardServer(program: string, place: string, httpPort: number, tcpPort: number): ShardServer {
  let child: ChildProcess | undefined
  let connection: Connection | undefined
  const address = { isSecure: false, hosts: [{ name: '127.0.0.1', port: httpPort }], user: 'default', database: '', table: '' }
  const run = async (sql: string) => {
    connection ??= connectTo(address, { tries: 1, timeout: 120 })
    return connection.ask({ sql, settings: { insert_distributed_sync: '1', max_threads: '1', max_query_size: '100000000' } })
  }
  return {
    httpPort,
    tcpPort,
    run,
    async kill() {
      connection?.close()
      connection = undefined
      const dying = child
      child = undefined
      if (!dying || dying.exitCode !== null) return
      const gone = new Promise((resolve) => dying.once('exit', resolve))
      dying.kill('SIGCONT')
      dying.kill('SIGKILL')
      await gone
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    pid: () => child?.pid,
    async start() {
      child = spawn(program, [`--config-file=${join(place, 'config.xml')}`], { stdio: 'ignore', cwd: place })
      for (let tries = 0; ; tries++) {
        const failure = await run('SELECT 1').catch((reason: unknown) => reason)
        if (Array.isArray(failure)) return
        if (tries < 150 && child.exitCode === null) await pause(100)
        else throw failureFrom(`ClickHouse does not start: ${await readFile(join(place, 'log'), 'utf8').catch(() => failure)}`)
      }
    },
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer()
      return new Promise<typeof server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
    }),
  )
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const asXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const user = (name: string, secret: string, profile: string) =>
  `<${name}><password>${asXml(secret)}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota></${name}>`

const users = `<yandex>
  <profiles>
    <default><max_memory_usage>3000000000</max_memory_usage></default>
    <careless><skip_unavailable_shards>1</skip_unavailable_shards></careless>
    <fixed><skip_unavailable_shards>1</skip_unavailable_shards><readonly>1</readonly></fixed>
  </profiles>
  <quotas><default></default></quotas>
  <users>
    ${user('default', '', 'default')}
    ${user('guarded', password, 'default')}
    ${user('careless', '', 'careless')}
    ${user('fixed', '', 'fixed')}
  </users>
</yandex>`

interface Place {
  readonly place: string
  readonly httpPort: number
  readonly tcpPort: number
  readonly tcpPorts: readonly number[]
  readonly signed?: Signed & { readonly port: number }
}

interface Signed {
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

/** A certificate for 127.0.0.1 that an authority of our own has signed. */
async function signedCertificate(folder: string): Promise<Signed> {
  const [authority, certificate, key] = ['authority.crt', 'server.crt', 'server.key'].map((name) => join(folder, name)) as [string, string, string] // biome-ignore format: one line
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder })
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl(
    'req',
    '-x509',
    ...fresh,
    '-keyout',
    'authority.key',
    '-out',
    authority,
    '-days',
    '2',
    '-subj',
    '/CN=tests of alis',
  )
  await openssl('req', ...fresh, '-keyout', key, '-out', 'server.csr', '-subj', '/CN=127.0.0.1')
  await writeFile(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1')
  const signing = ['-CA', authority, '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', 'names', '-days', '2']
  await openssl('x509', '-req', '-in', 'server.csr', ...signing, '-out', certificate)
  return { authority, certificate, key }
}

const secured = ({ port, certificate, key }: NonNullable<Place['signed']>) => `<https_port>${port}</https_port>
  <openSSL><server><certificateFile>${certificate}</certificateFile><privateKeyFile>${key}</privateKeyFile>
    <verificationMode>none</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile><cacheSessions>false</cacheSessions></server></openSSL>`

const config = ({ place, httpPort, tcpPort, tcpPorts, signed }: Place) => `<yandex>
  <logger><level>warning</level><log>${place}/log</log><errorlog>${place}/errors</errorlog><size>10M</size><count>1</count></logger>
  <http_port>${httpPort}</http_port>
  <tcp_port>${tcpPort}</tcp_port>
  ${signed ? secured(signed) : ''}
  <listen_host>127.0.0.1</listen_host>
  <path>${place}/data/</path>
  <tmp_path>${place}/tmp/</tmp_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>100000000</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <remote_servers><alis>${tcpPorts
    .map((port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`)
    .join('')}</alis></remote_servers>
</yandex>`
