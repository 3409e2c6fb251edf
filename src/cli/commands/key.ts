import { Command } from 'commander'
import { fingerprintOf } from '../../core/public-key.ts'
import { signingKey } from '../../projects/signing-key.ts'
import { signerFacts } from '../../questions/signature.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { sayResult } from '../reports/output.ts'

interface Options extends OutputOptions {
  readonly name?: string
}

export function keyCommand(): Command {
  return new Command('key')
    .option('--name <name>', 'what you call yourself on certificates from now on (default: your user name)')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
The secret half of the key stays in one file of yours; what is shown here may be given to everybody.

Examples:
  $ alis key
  $ alis key --name 'Ada Lovelace'
  $ alis verify audit.json --pool predictions.csv --signed-by '1f3a 9c22 …'`,
    )
    .action(show)
}

function show({ name, json }: Options): void {
  const key = signingKey({ ...(name !== undefined && { name }) })
  const lines = [
    ...(key.isNew ? ['A key was made.', ''] : []),
    `Name         ${key.by}`,
    `Public key   ${key.key}`,
    `Fingerprint  ${fingerprintOf(key.key)}`,
    `Kept in      ${key.path}`,
    '',
    'It signs certificates. Give the public key or its fingerprint to those who verify them, by a way they trust:',
    '  alis verify certificate.json --pool predictions.csv --signed-by <key or fingerprint>',
  ]
  sayResult(
    { ...(json && { json }) },
    { ...signerFacts({ ...key, value: '' }), path: key.path, isNew: key.isNew },
    lines.join('\n'),
  )
}
