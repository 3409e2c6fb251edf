import { availableParallelism, freemem, totalmem } from 'node:os'
import { Command } from 'commander'
import { kernelBuild } from '../../engines/kernels/kernels.ts'
import { measureRates } from '../../engines/kernels/measure-rates.ts'
import { threadCount } from '../../engines/kernels/threads.ts'
import { version } from '../../projects/version.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { sayResult } from '../reports/output.ts'

export function doctorCommand(): Command {
  return new Command('doctor')
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
Examples:
  $ alis doctor
  $ ALIS_THREADS=1 alis doctor --json`,
    )
    .action(async (options: OutputOptions) => {
      const found = await examine()
      sayResult(options, found, `${found.kernels === 'none' ? slow : fast(found)}\n${machine(found)}`)
    })
}

type Findings = Awaited<ReturnType<typeof examine>>

async function examine() {
  const rates = await measureRates()
  return {
    alis: version(),
    node: process.versions.node,
    processors: availableParallelism(),
    threads: threadCount(),
    memory: { total: totalmem(), free: freemem() },
    kernels: kernelBuild?.name ?? ('none' as const),
    ...(rates && { bytesPerSecond: rates }),
  }
}

const kinds = { relaxed: 'SIMD with fused sums', simd: 'SIMD', none: 'none' }
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

function fast({ kernels, bytesPerSecond: rates }: Findings): string {
  const speed = rates
    ? `, ${gigabytes(rates.score)} of features scored a second (${Math.round((100 * rates.score) / rates.read)} % of what can be read)`
    : ''
  return `kernels     ${kinds[kernels]}${speed}`
}

const slow = `kernels     none: pools are worked on in plain JavaScript, which gives the same draws, more slowly
            Node ${process.versions.node} may lack SIMD, or the package was not built whole.`

function machine({ threads: used, processors, memory, node, alis }: Findings): string {
  return `threads     ${used} of ${processors} processors
memory      ${gigabytes(memory.total)}, of which ${gigabytes(memory.free)} are free
Node ${node}, alis ${alis}`
}
