import { resolve } from 'node:path'
import { Command } from 'commander'
import { closing } from '../../core/closing.ts'
import { openToRead } from '../../projects/settings.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { sayResult } from '../reports/output.ts'
import { underBar } from '../terminal/progress.ts'
import { bytesSay, sizeOnDisk } from './status.ts'

export function backupCommand(signal: AbortSignal): Command {
  return new Command('backup')
    .argument('<project>', 'NAME.alis')
    .argument('<copy>', 'COPY.alis, a name that is not taken')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
Examples:
  $ alis backup mails.alis mails-monday.alis
  $ alis backup mails.alis /media/stick/mails.alis --json

The copy is a project like any other: alis status shows it, alis run --project goes on with it.`,
    )
    .action((path: string, copy: string, options: OutputOptions) => backup(path, copy, options, signal))
}

async function backup(path: string, copy: string, options: OutputOptions, signal: AbortSignal): Promise<void> {
  const source = await closing(openToRead(path), (project) =>
    underBar('copying', async (progress) => {
      await project.backup(copy, (share) => {
        signal.throwIfAborted()
        progress(share)
      })
      return project.path
    }),
  )
  const bytes = sizeOnDisk(copy)
  const words = `${copy}: ${bytesSay(bytes)}, as ${path} stood.\nLook at it:  alis status ${copy}`
  sayResult(options, { project: source, copy: resolve(copy), bytes }, words)
}
