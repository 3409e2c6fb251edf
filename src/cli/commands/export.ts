import { Command, InvalidArgumentError, Option } from 'commander'
import { didYouMean } from '../../core/nearest-name.ts'
import { type ExportOptions, exportProject, parts } from '../../projects/export/export-project.ts'
import type { DeliveredFacts } from '../../projects/export/facts.ts'
import type { ExportPart, WrittenFile } from '../../projects/export/outputs.ts'
import { tableFormats } from '../../sources/write-table.ts'
import { count } from '../../text/wording.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { names } from '../options/values.ts'
import { sayResult } from '../reports/output.ts'
import { underBar } from '../terminal/progress.ts'

type Options = Omit<ExportOptions, 'progress' | 'signal'> & OutputOptions

export function exportCommand(signal: AbortSignal): Command {
  return new Command('export')
    .argument('<project>', 'NAME.alis, also while somebody works on it')
    .option('--out <directory>', 'where to (default: NAME-export beside the project)')
    .addOption(new Option('--format <name>', 'of labels and predictions').choices(tableFormats).default('csv'))
    .option('--only <parts>', `of ${parts.join(', ')}, separated by commas (default: all there are)`, partsIn)
    .option('--pool <file>', 'where the pool is now, if it was moved')
    .addOption(
      new Option('--model <which>', 'the certified model (default where one is certified) or the newest').choices([
        'certified',
        'newest',
      ]),
    )
    .option('--with-columns', 'labels with all columns of the pool')
    .option('--raw', 'CSV for programs: cells that a spreadsheet would take for formulas get no apostrophe')
    .option('--force', 'replace the files of an earlier export')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
Examples:
  $ alis export mails.alis
  $ alis export mails.alis --format parquet --out for-training --only labels,predictions
  $ alis export mails.alis --only label-studio --out for-label-studio
  $ alis export mails.alis --only hugging-face --out dataset`,
    )
    .action((path: string, options: Options) => run(path, options, signal))
}

function partsIn(text: string): ExportPart[] {
  return names(text).map((name) => {
    const part = parts.find((each) => each === name)
    if (part) return part
    const hint = didYouMean(name, parts) ?? `There are ${parts.join(', ')}.`
    throw new InvalidArgumentError(`parts of an export are required, got ${JSON.stringify(name)}\n${hint}`)
  })
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const work = (progress: (share: number) => void) => exportProject(path, { ...options, progress, signal })
  const { out, files, model } = await underBar('exporting', work, { isSilent: options.json })
  const hasModel = files.some(({ file }) => file === 'model.json' || file.startsWith('predictions.'))
  const which = model && hasModel ? [modelWords(model)] : []
  sayResult(options, { out, files, ...(model && { model }) }, [out, ...files.map(lineOf), ...which])
}

/** Which model it is, and whether a certificate is about it. */
function modelWords({ after, certificate, isNewest }: DeliveredFacts): string {
  const name = `  model and predictions: the model after round ${after}`
  if (certificate === null) return `${name}, which no certificate is about`
  const newer = isNewest ? '' : '; the newest has learned since, --model newest exports that'
  return `${name}, certified (${certificate.replace('sha256:', '').slice(0, 12)})${newer}`
}

function lineOf({ file, rows }: WrittenFile): string {
  return `  ${rows === undefined ? file : `${file.padEnd(24)} ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`}`
}
