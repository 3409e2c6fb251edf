import { AlisError } from '../../core/errors.ts'

/** An answer that says what went wrong, or none at all. */
export class ClickHouseFailure extends Error {
  /** ClickHouse's own number for what happened; 0 where no server answered. */
  readonly number: number

  constructor(number: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.number = number
  }
}

/** Reads `Code: 279, e.displayText() = DB::NetException: …` and `Code: 279. DB::Exception: … (NAME)`. */
export function failureFrom(said: string): ClickHouseFailure {
  const found = /Code: (\d+)[.,]\s*(?:e\.displayText\(\) = )?(?:DB::\w*Exception: )?([\s\S]*)/.exec(said)
  const message = (found?.[2] ?? said).replace(/, e\.what\(\) =[\s\S]*$/, '').replace(/ \(version [\s\S]*$/, '')
  return new ClickHouseFailure(Number(found?.[1] ?? 0), message.trim().slice(0, 2000))
}

/** Codes of Node for a certificate that cannot be trusted. */
const distrusted = /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_|PATH_LENGTH_)/

/** Refuses a connection that is not safe: another try would not make it so. */
export function requireTrust(host: string, error: unknown): void {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return
  const { code, message } = error
  const cause = { cause: error }
  if (distrusted.test(code))
    throw new AlisError(
      'bad-input',
      `${host}: a certificate that can be trusted is required, got ${message}`,
      'If an authority of your own signed it, name the file of its certificate in NODE_EXTRA_CA_CERTS.',
      cause,
    )
  if (code === 'EPROTO')
    throw new AlisError(
      'bad-input',
      `${host}: an answer in TLS is required, got something else`,
      'clickhouses:// needs the port of HTTPS, mostly 8443; without TLS it is clickhouse://.',
      cause,
    )
}

// Numbers from ClickHouse's ErrorCodes: what a second try may mend.
const passing = new Set([0, 32, 95, 96, 100, 101, 198, 202, 203, 209, 210, 279, 373, 999])

/** Whether it may go away by itself: a shard or a connection that is down, a server that is busy. */
export const mayPass = (failure: unknown): failure is ClickHouseFailure =>
  failure instanceof ClickHouseFailure && passing.has(failure.number)

const refusals: Readonly<Record<number, string>> = {
  16: 'Is the name of the column right?',
  47: 'Is the name of the column right?',
  60: 'Is the name of the table right?',
  81: 'Is the name of the database right?',
  164: 'The user must be allowed to change settings: readonly = 2, not 1.',
  192: 'The address names the user; the password is taken from ALIS_CLICKHOUSE_PASSWORD.',
  193: 'The address names the user; the password is taken from ALIS_CLICKHOUSE_PASSWORD.',
  194: 'The address names the user; the password is taken from ALIS_CLICKHOUSE_PASSWORD.',
  452: 'A setting is fixed for this user; ask whoever runs the servers.',
  497: 'The user must be allowed to read the table and system.tables.',
  516: 'The address names the user; the password is taken from ALIS_CLICKHOUSE_PASSWORD.',
}

/** The failure as a person should read it. */
export function asError(where: string, failure: ClickHouseFailure): AlisError {
  const hint = refusals[failure.number]
  const cause = { cause: failure }
  if (hint) return new AlisError('bad-input', `${where}: ${failure.message}`, hint, cause)
  return new AlisError('engine-failed', `${where}: an answer is required, got ${failure.message}`, undefined, cause)
}
