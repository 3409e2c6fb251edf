// The command in a process of its own, which says at its end what it took: a child of main.ts.

/** The last line on stderr. */
export interface Peak {
  /** Bytes of memory the whole process held at its peak. */
  readonly peak: number
}

process.on('exit', () => {
  const said: Peak = { peak: process.resourceUsage().maxRSS * 1024 }
  process.stderr.write(`${JSON.stringify(said)}\n`)
})
await import('../../src/cli/main.ts')
