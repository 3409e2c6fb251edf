import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alis, jsonLines } from '../command.ts'
import { alisHere } from '../in-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { smallColumns, smallPool, smallValues } from './small-pool.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0 // to make a certificate

describe.skipIf(!hasOpenssl)('a server that speaks TLS', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(1, { isSecure: true })
    const { run } = cluster.shards[0]!
    await run(`CREATE TABLE small (${smallColumns}) ENGINE = MergeTree ORDER BY id`)
    await run(`INSERT INTO small VALUES ${smallValues(smallPool(100))}`)
  })
  afterAll(() => cluster?.close())

  const runOn = (host: string, env: NodeJS.ProcessEnv = {}) =>
    alis(['run', '--pool', `clickhouses://${host}/default/small`, '--label', 'y', '--seed', '3', '--rounds', '1', '--json'], {
      env,
    })
  const trusting = () => ({ NODE_EXTRA_CA_CERTS: cluster.secure!.authority })

  it('is worked with where its authority is trusted, with the same draws as without TLS', async () => {
    const secure = await runOn(`127.0.0.1:${cluster.secure!.port}`, trusting())
    expect(`${secure.code} ${secure.stderr}`).toBe('0 ')
    const plain = await alisHere(['run', cluster.address('small'), '--label', 'y', '--seed', '3', '--rounds', '1', '--json'])
    const drawn = ({ stdout }: typeof plain) =>
      jsonLines(stdout).flatMap(({ draws = [] }) => draws.map(({ id }: { id: string }) => id))
    expect(drawn(secure)).toHaveLength(20)
    expect(drawn(secure)).toEqual(drawn(plain))
  })

  it.each([
    ['signed by a stranger', () => `127.0.0.1:${cluster.secure!.port}`, {}, 'a certificate that can be trusted is required, got unable to verify', 'NODE_EXTRA_CA_CERTS'], // biome-ignore format: one line
    ['made out to another', () => `localhost:${cluster.secure!.port}`, trusting, /a certificate that can be trusted is required, got Hostname.*does not match/, 'NODE_EXTRA_CA_CERTS'], // biome-ignore format: one line
    ['not there at all', () => `127.0.0.1:${cluster.shards[0]!.httpPort}`, trusting, 'an answer in TLS is required, got something else', 'the port of HTTPS'], // biome-ignore format: one line
  ])('is refused at once where its certificate is %s', async (_, host, env, message, hint) => {
    const { code, stderr } = await runOn(host(), typeof env === 'function' ? env() : env)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).toContain(hint)
  })
})
