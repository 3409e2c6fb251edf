import { type Options, SingleBar } from 'cli-progress'
import type { Loading } from '../../projects/pools/pool-data.ts'
import { count, seconds } from '../../text/wording.ts'
import { clipText } from './width.ts'

interface ProgressBar {
  /** `note` stays until the next one. */
  update(done: number, note?: string): void
  /** Takes the bar off the screen. Call it in `finally`: the bar redraws itself and keeps the program alive until then. */
  stop(): void
}

interface ProgressOptions {
  readonly label: string
  readonly total: number
  readonly stream?: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/**
 * A line at the bottom of a terminal that says how far a long step has come; silent where the stream is a file or a pipe. It changes
 * no mode of the terminal, hides no cursor, and so leaves nothing to repair even if the program is killed.
 */
export function progressBar({ label, total, stream = process.stderr }: ProgressOptions): ProgressBar {
  if (stream.isTTY !== true) return { update() {}, stop() {} }
  const options: Options = {
    stream,
    clearOnComplete: true,
    hideCursor: false,
    linewrap: true, // which means: leave the terminal's own setting alone
    format: (_, { value, startTime, maxWidth }, { note }: { note: string }) =>
      barLine({ label, done: value, total, elapsed: (Date.now() - startTime) / 1000, note, width: maxWidth - 1 }),
  }
  const bar = new SingleBar(options)
  bar.start(total, 0, { note: '' })
  return {
    update(done, note) {
      bar.update(done, note === undefined ? {} : { note })
    },
    stop() {
      bar.stop()
    },
  }
}

/** Works under a bar that shows the share that is done, from 0 to 1, and the step. Silent: without a bar. */
export async function underBar<T>(
  label: string,
  work: (progress: (share: number, step?: string) => void) => Promise<T>,
  { isSilent = false }: { readonly isSilent?: boolean | undefined } = {},
): Promise<T> {
  const bar = isSilent ? undefined : progressBar({ label, total: 100 }) // per cent
  try {
    return await work((share, step) => bar?.update(100 * share, step))
  } finally {
    bar?.stop()
  }
}

interface BarState {
  readonly label: string
  readonly done: number
  readonly total: number
  /** Seconds since the start. */
  readonly elapsed: number
  readonly note: string
  readonly width: number
}

/** "reading  ━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌   50 %  500/1,000  3.0 s left  note", cut at the right if it must be. */
export function barLine({ label, done, total, elapsed, note, width }: BarState): string {
  const share = total > 0 ? Math.min(1, done / total) : 1
  const filled = Math.floor(20 * share)
  const left = share > 0 && share < 1 ? `${seconds(elapsed * (1 / share - 1))} left` : ''
  const percentage = `${Math.floor(100 * share)} %`.padStart(5)
  const parts = [label, '━'.repeat(filled) + '╌'.repeat(20 - filled), percentage, `${count(done)}/${count(total)}`, left, note]
  return clipText(parts.filter((part) => part !== '').join('  '), width)
}

export function underReadingBar<T>(
  { isSilent, signal }: { readonly isSilent?: boolean | undefined; readonly signal?: AbortSignal | undefined },
  read: (loading: Loading) => Promise<T>,
): Promise<T> {
  return underBar('reading', (progress) => read({ progress, ...(signal && { signal }) }), { isSilent })
}
