import { expect, it } from 'vitest'
import { AlisError, type ErrorCode } from '../core/errors.ts'
import { publicFailure, Refusal } from './failures.ts'

it.each([
  ['bad-input', 400],
  ['not-drawn', 404],
  ['round-closed', 409],
  ['engine-failed', 500],
  ['oracle-failed', 500],
  ['store-failed', 503],
] as [ErrorCode, number][])('%s is told as %i', (code, status) => {
  expect(publicFailure(new AlisError(code, 'x: must be y, got z'))).toEqual({
    status,
    failure: { code, message: 'x: must be y, got z' },
  })
})

it('a refusal is told as what it is, with its hint', () => {
  const refusal = new Refusal(409, 'no-model', 'x: must be y, got z', 'Do w.')
  expect(publicFailure(refusal)).toEqual({
    status: 409,
    failure: { code: 'no-model', message: 'x: must be y, got z', hint: 'Do w.' },
  })
})

it.each([new TypeError('secret'), 'secret', undefined])('of a fault nothing is told but that it is one: %s', (error) => {
  const { status, failure } = publicFailure(error)
  expect([status, failure.code, JSON.stringify(failure).includes('secret')]).toEqual([500, 'bug', false])
})
