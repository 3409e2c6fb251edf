import { Command } from 'commander'
import { closing } from '../../core/closing.ts'
import { auditFacts } from '../../projects/audit-facts.ts'
import { confirmServer, serverOf } from '../../projects/confirmed-servers.ts'
import { knownSettings, openToRead } from '../../projects/settings.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { sayResult } from '../reports/output.ts'

export function trustCommand(): Command {
  return new Command('trust')
    .argument('<project>', 'NAME.alis')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
A project says where its pool lies, and whoever made the project may have written anything there. A server that you named yourself when the
project began is confirmed; another one is asked, and sent your password, only after this.

Examples:
  $ alis trust mails.alis`,
    )
    .action(trust)
}

async function trust(path: string, options: OutputOptions): Promise<void> {
  const pool = await closing(openToRead(path), async (project) => {
    return (await knownSettings(project))?.pool.path ?? (await auditFacts(project))?.path
  })
  const server = pool === undefined ? undefined : serverOf(pool)
  if (pool !== undefined) confirmServer(path, pool)
  const words =
    server === undefined
      ? `${path} asks no server: there is nothing to confirm.`
      : `${server} may be asked for ${path} from now on, by you and on this machine. It is sent your password.`
  sayResult(options, { ...(server !== undefined && { server }) }, words)
}
