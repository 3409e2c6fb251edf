import type { Engine } from '../../engines/engine.ts'
import { commandOracle } from '../../oracles/command.ts'
import { httpOracle } from '../../oracles/http.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import type { OracleOptions } from './options.ts'

/** The oracle that was asked for, over the points of an engine; undefined if none was. */
export function oracleOf(
  { oracleCommand, oracleUrl, oracleRate, oracleTimeout }: OracleOptions,
  classes: readonly string[],
): ((engine: Engine) => Oracle) | undefined {
  const timeout = oracleTimeout === undefined ? {} : { timeout: 1000 * oracleTimeout }
  const about = (engine: Engine) => ({ classes, contents: (ids: readonly string[]) => engine.contents(ids), ...timeout })
  if (oracleCommand !== undefined) return (engine) => commandOracle({ command: oracleCommand, ...about(engine) })
  if (oracleUrl === undefined) return undefined
  const token = process.env.ALIS_ORACLE_TOKEN
  return (engine) =>
    httpOracle({
      url: oracleUrl,
      ...about(engine),
      ...(oracleRate !== undefined && { rate: oracleRate }),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    })
}
