import { resolve } from 'node:path'
import { Command } from 'commander'
import { openToRead } from '../../projects/settings.ts'
import { writeLine } from '../reports/json-lines.ts'
import { progressBar } from '../terminal/progress.ts'
import { bytesSay, sizeOnDisk } from './status.ts'

interface Options {
  readonly json?: boolean
}

export function backupCommand(signal: AbortSignal): Command {
  return new Command('backup')
    .description('Copy a project as it stands now, also while somebody works on it.')
    .argument('<project>', 'NAME.alis')
    .argument('<copy>', 'COPY.alis, a name that is not taken')
    .option('--json', 'one JSON object a line on stdout, for programs')
    .addHelpText(
      'after',
      `
Examples:
  $ alis backup mails.alis mails-monday.alis
  $ alis backup mails.alis /media/stick/mails.alis --json

The copy is a project like any other: alis status shows it, alis run --project goes on with it.`,
    )
    .action((path: string, copy: string, options: Options) => backup(path, copy, options, signal))
}

async function backup(path: string, copy: string, { json = false }: Options, signal: AbortSignal): Promise<void> {
  const project = await openToRead(path)
  const bar = progressBar({ label: 'copying', total: 100 }) // per cent
  try {
    await project.backup(copy, (share) => {
      signal.throwIfAborted()
      bar.update(100 * share)
    })
  } finally {
    bar.stop()
    await project.close()
  }
  const bytes = sizeOnDisk(copy)
  if (json) writeLine('result', { project: project.path, copy: resolve(copy), bytes })
  else process.stdout.write(`${copy}: ${bytesSay(bytes)}, as ${path} stood.\nLook at it:  alis status ${copy}\n`)
}
