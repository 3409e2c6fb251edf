import { serve } from '../../../src/server/http/serve.ts'
import { authorizationFor } from '../../authorization.ts'
import type { Attack, Try } from '../attack.ts'

/** Requests that a user of this machine may send who has seen a page at work, but not its secret. */
const theft: Attack = {
  name: 'the session of a page is used by others',
  async attack({ folder }) {
    const served = await serve({ directory: folder, port: 0 })
    try {
      const { origin } = served
      const address = served.address()
      const code = address.split('#code=')[1]!
      const authorization = await authorizationFor(address)
      const secret = authorization.slice('Bearer '.length)
      const ask = (path: string, init: RequestInit = {}) => fetch(`${origin}/api/v1${path}`, init)
      const json = { origin, 'content-type': 'application/json' }
      const again = { method: 'POST', headers: json, body: JSON.stringify({ code }) }
      const tries: readonly (readonly [string, Promise<Response>, number])[] = [
        ['nothing is brought', ask('/state'), 401],
        ['as a cookie', ask('/state', { headers: { cookie: `secret=${secret}` } }), 401],
        ['in the address', ask(`/state?token=${secret}&secret=${secret}&code=${code}`), 401],
        ['the code in place of the secret', ask('/state', { headers: { authorization: `Bearer ${code}` } }), 401],
        ['the code once more', ask('/sessions', again), 401],
        ['from another port', ask('/state', { headers: { authorization, origin: 'http://127.0.0.1:1' } }), 403],
        ['by a page of another port', ask('/state', { headers: { authorization, 'sec-fetch-site': 'same-site' } }), 403],
        ['with what a form sends', ask('/codes', { method: 'POST', headers: { authorization } }), 403],
        ['and by the page itself', ask('/state', { headers: { authorization } }), 200],
      ]
      return await Promise.all(
        tries.map(async ([what, reply, wanted]): Promise<Try> => {
          const { status } = await reply
          return status === wanted ? { what } : { what, through: `${status} was answered` }
        }),
      )
    } finally {
      await served.close()
    }
  },
}

export const attacks: readonly Attack[] = [theft]
