import { createHash, randomBytes } from 'node:crypto'

const most = 1_000 // codes; the oldest goes first

interface Code {
  /** In milliseconds of the clock. */
  readonly until: number
  /** The hash of what it was exchanged for. */
  readonly secret?: string
}

export type Admission = ReturnType<typeof admission>

/**
 * Who is let in. An address carries a code, which is good for one page: that gets a secret for it, and the code is dead. All of it is in
 * memory, and new at every start. Kept are hashes only, so that how long a search takes says nothing of what is there.
 */
export function admission(now: () => number = () => performance.now()) {
  const codes = new Map<string, Code>()
  const secrets = new Set<string>()

  return {
    /** Makes a code. One that others on this machine may see lasts for so many milliseconds. */
    code({ lasts }: { readonly lasts?: number } = {}): string {
      for (const oldest of [...codes.keys()].slice(0, Math.max(0, codes.size - most + 1))) codes.delete(oldest)
      const code = fresh()
      codes.set(hashOf(code), { until: lasts === undefined ? Number.POSITIVE_INFINITY : now() + lasts })
      return code
    },

    /**
     * The secret for a code; none for one that is not known, or dead. A code that others may see and that comes twice was seen by them:
     * the first to bring it is sent away again.
     */
    admit(code: string): string | undefined {
      const hash = hashOf(code)
      const known = codes.get(hash)
      codes.delete(hash)
      if (known?.secret !== undefined) secrets.delete(known.secret)
      if (known === undefined || known.secret !== undefined || known.until < now()) return undefined
      const secret = fresh()
      secrets.add(hashOf(secret))
      if (known.until !== Number.POSITIVE_INFINITY) codes.set(hash, { ...known, secret: hashOf(secret) })
      return secret
    },

    knows: (secret: string): boolean => secrets.has(hashOf(secret)),
  }
}

const fresh = () => randomBytes(32).toString('base64url')
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')
