import { join } from 'node:path'
import { requireInput } from '../../core/errors.ts'
import { chatOracle } from '../../oracles/chat.ts'
import { commandOracle } from '../../oracles/command.ts'
import { httpOracle } from '../../oracles/http.ts'
import type { Contents, Oracle } from '../../oracles/oracle.ts'
import { promptOf } from '../../oracles/prompt.ts'
import type { OracleOptions } from './options.ts'

/** What answers may be: one of some classes, or grades within a range. */
export interface PossibleAnswers {
  readonly classes: readonly string[]
  readonly range?: readonly [number, number]
}

interface Surroundings {
  /** The columns that an annotator gets to see. */
  readonly columns: readonly string[]
  /** The folder of the project, where there is one. */
  readonly project?: string | undefined
}

/** The oracle that was asked for, shown some contents of points; undefined if none was. */
export function oracleOf(
  options: OracleOptions,
  { classes, range }: PossibleAnswers,
  { columns, project }: Surroundings,
): ((contents: Contents) => Oracle) | undefined {
  requireService(options)
  const { oracleCommand, oracleUrl, oracleRate, oracleTimeout, oracleConcurrency, oraclePrompt, oracleModel = '' } = options
  const timeout = oracleTimeout === undefined ? {} : { timeout: 1000 * oracleTimeout }
  const about = (contents: Contents) => ({ classes, range, contents, ...timeout })
  if (oracleCommand !== undefined) return (contents) => commandOracle({ command: oracleCommand, ...about(contents) })
  if (oracleUrl === undefined) return undefined
  const service = {
    url: oracleUrl,
    headers: headersOf(options),
    ...(oracleRate !== undefined && { rate: oracleRate }),
    ...(oracleConcurrency !== undefined && { concurrency: oracleConcurrency }),
  }
  if (oraclePrompt === undefined) return (contents) => httpOracle({ ...service, ...about(contents) })
  const { oracleSettings: settings, oracleRequests: requests, oracleCache } = options
  promptOf(oraclePrompt, columns, classes) // refused before anything is written
  const cache = oracleCache ?? (project === undefined ? undefined : join(project, 'oracle-replies.jsonl'))
  const chat = {
    ...service,
    model: oracleModel,
    prompt: oraclePrompt,
    columns,
    ...(settings && { settings }),
    ...(requests !== undefined && { requests }),
    ...(cache !== undefined && { cache }),
  }
  return (contents) => chatOracle({ ...chat, ...about(contents) })
}

function headersOf({ oracleHeader = {} }: OracleOptions): Readonly<Record<string, string>> {
  const token = process.env.ALIS_ORACLE_TOKEN
  return { ...oracleHeader, ...(token && { authorization: `Bearer ${token}` }) }
}

const ofModels = {
  oracleModel: '--oracle-model',
  oracleSettings: '--oracle-settings',
  oracleRequests: '--oracle-requests',
  oracleCache: '--oracle-cache',
} as const
const ofServices = {
  oracleHeader: '--oracle-header',
  oracleConcurrency: '--oracle-concurrency',
  oraclePrompt: '--oracle-prompt',
} as const

/** Refuses what has no effect. */
function requireService(options: OracleOptions): void {
  const { oracleUrl, oraclePrompt, oracleModel } = options
  const stray = (names: Readonly<Partial<Record<keyof OracleOptions, string>>>) =>
    Object.entries(names).find(([name]) => options[name as keyof OracleOptions] !== undefined)?.[1]
  const [service, model] = [stray(ofServices), stray(ofModels)]
  requireInput(
    service === undefined || oracleUrl !== undefined,
    `${service}: the address of a service is required, got none`,
    'Name it with --oracle-url.',
  )
  requireInput(
    model === undefined || oraclePrompt !== undefined,
    `${model}: a prompt is required, got none`,
    'Give one with --oracle-prompt.',
  )
  requireInput(
    oraclePrompt === undefined || oracleModel !== undefined,
    '--oracle-prompt: a model is required, got none',
    'Name it with --oracle-model.',
  )
}

/** Who answers, in words. `column`: that answers where no program or service does. */
export function answersFrom({ oracleCommand, oracleUrl, oraclePrompt, oracleModel }: OracleOptions, column?: string): string {
  if (oracleCommand !== undefined) return `the program ${oracleCommand}`
  const at = oracleUrl?.replace(/[?#].*/s, '').replace(/\/\/.*@/s, '//')
  if (oraclePrompt !== undefined) return `a machine, ${oracleModel} at ${at}`
  if (oracleUrl !== undefined) return `the service at ${at}`
  return column === undefined ? 'a column' : `the column ${column}`
}
