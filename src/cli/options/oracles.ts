import { commandOracle } from '../../oracles/command.ts'
import { httpOracle } from '../../oracles/http.ts'
import type { Contents, Oracle } from '../../oracles/oracle.ts'
import type { OracleOptions } from './options.ts'

/** What answers may be: one of some classes, or grades within a range. */
export interface PossibleAnswers {
  readonly classes: readonly string[]
  readonly range?: readonly [number, number]
}

/** The oracle that was asked for, shown some contents of points; undefined if none was. */
export function oracleOf(
  { oracleCommand, oracleUrl, oracleRate, oracleTimeout }: OracleOptions,
  { classes, range }: PossibleAnswers,
): ((contents: Contents) => Oracle) | undefined {
  const timeout = oracleTimeout === undefined ? {} : { timeout: 1000 * oracleTimeout }
  const about = (contents: Contents) => ({ classes, range, contents, ...timeout })
  if (oracleCommand !== undefined) return (contents) => commandOracle({ command: oracleCommand, ...about(contents) })
  if (oracleUrl === undefined) return undefined
  const token = process.env.ALIS_ORACLE_TOKEN
  return (contents) =>
    httpOracle({
      url: oracleUrl,
      ...about(contents),
      ...(oracleRate !== undefined && { rate: oracleRate }),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    })
}

/** Who answers, in words. `column`: that answers where no program or service does. */
export function answersFrom({ oracleCommand, oracleUrl }: OracleOptions, column?: string): string {
  if (oracleCommand !== undefined) return `the program ${oracleCommand}`
  if (oracleUrl !== undefined) return `the service at ${oracleUrl.replace(/[?#].*/s, '').replace(/\/\/.*@/s, '//')}`
  return column === undefined ? 'a column' : `the column ${column}`
}
