import { expect, it } from 'vitest'
import { addressText, isClickHouse, parseAddress } from './address.ts'

it('reads one host or several, with and without ports, user and TLS', () => {
  const plain = parseAddress('clickhouse://db.example.org/pools/mails')
  expect(plain).toEqual({
    isSecure: false,
    hosts: [{ name: 'db.example.org', port: 8123 }],
    user: 'default',
    database: 'pools',
    table: 'mails',
  })
  const many = parseAddress('clickhouses://ann%40home@a:9443,b,[::1]:7/my%20pools/%D0%BF%2Fx')
  expect(many.hosts).toEqual([
    { name: 'a', port: 9443 },
    { name: 'b', port: 8443 },
    { name: '::1', port: 7 },
  ])
  expect([many.isSecure, many.user, many.database, many.table]).toEqual([true, 'ann@home', 'my pools', 'п/x'])
  expect(parseAddress(addressText(many))).toEqual(many)
  expect([isClickHouse('clickhouse://a/b/c'), isClickHouse('pools/clickhouse.csv')]).toEqual([true, false])
})

it.each([
  ['clickhouse://host/table', 'pool: an address like clickhouse://user@host:port/database/table is required'],
  ['clickhouse://host/a/b/c', 'pool: an address like'],
  ['clickhouse://host/a/b?x=1', 'pool: an address like'],
  ['clickhouse://host:99999/a/b', 'pool: a host with its port is required, got "host:99999"'],
  ['clickhouse://ho st/a/b', 'pool: a host with its port is required, got "ho st"'],
  ['clickhouse://a,,b/a/b', 'pool: a host with its port is required, got ""'],
  ['clickhouse://host/a%zz/b', 'pool: % in an address must begin a code such as %20, got "a%zz"'],
])('refuses %s', (given, message) => {
  expect(() => parseAddress(given)).toThrow(message)
})

it('refuses a password in an address, and does not repeat it', () => {
  expect(() => parseAddress('clickhouse://me:hunter2@host/a/b')).toThrow('got one with a password')
  expect(() => parseAddress('clickhouse://me:hunter2@host/a')).not.toThrow('hunter2')
})
