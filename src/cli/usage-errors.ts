import type { CommanderError } from 'commander'
import { didYouMean } from '../core/nearest-name.ts'

/** What commander says of a command line, as we say everything else: `where: what is required, got what`, and what to do. */
export function usageError({ message }: CommanderError, command = ''): { readonly message: string; readonly hint: string } {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n')
  const told = more.join(' ').replace(/^\((.*)\)$/, '$1') // a suggestion is in brackets
  const help = `alis ${command.startsWith('-') ? '' : `${command} `}--help shows what there is.`
  for (const [pattern, retold] of phrases) {
    const match = pattern.exec(first)
    if (!match) continue
    const { message, hint } = retold(...match.slice(1))
    return { message, hint: told || (hint ?? help) }
  }
  return { message: first, hint: told || help }
}

type Retold = (...parts: string[]) => { message: string; hint?: string | undefined }

const phrases: readonly [RegExp, Retold][] = [
  [/^unknown option '(.*)'$/, (option) => ({ message: `${option}: must be an option of this command, got an unknown one` })],
  [/^unknown command '(.*)'$/, (name) => ({ message: `${name}: must be a command, got an unknown one`, hint: topHelp })],
  [/^option '(?:.*, )?(--\S+) ?.*' argument '(.*)' is invalid\. (.*)$/s, invalid],
  [/^command-argument value '(.*)' is invalid for argument '(.*)'\. (.*)$/s, (got, name, why) => invalid(`<${name}>`, got, why)],
  [/^missing required argument '(.*)'$/, (name) => ({ message: `<${name}>: must be given, got nothing` })],
  [
    /^(?:required )?option '(?:.*, )?(--\S+) (<.*>)' (?:argument missing|not specified)$/,
    (option, value) => ({ message: `${option}: ${value} is required, got nothing` }),
  ],
  [
    /^option '(?:.*, )?(--\S+).*' cannot be used with option '(?:.*, )?(--\S+).*'$/,
    (one, other) => ({ message: `${one}: must stand without ${other}, got both` }),
  ],
  [
    /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+): (.*)\.$/s,
    (name, most, got, all) => ({
      message: `${name}: ${most} ${most === '1' ? 'argument is' : 'arguments are'} required, got ${got}: ${all}`,
      hint: 'Put quotes around a name with spaces and around a pattern such as "part-*.csv".',
    }),
  ],
]

export const topHelp = 'alis --help shows what there is.'

/** Our own readers of values say what is required; commander lists the choices. */
function invalid(where = '', got = '', why = ''): { message: string; hint?: string | undefined } {
  const choices = /^Allowed choices are (.*)\.$/.exec(why)?.[1]
  if (!choices) return { message: `${where}: ${why}` }
  return {
    message: `${where}: one of ${choices} is required, got ${JSON.stringify(got)}`,
    hint: didYouMean(got, choices.split(', ')),
  }
}
