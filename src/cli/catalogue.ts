import type { Command } from 'commander'

/** What a command is for, and where it begins. */
interface CommandEntry {
  readonly description: string
  readonly load: (signal: AbortSignal, program: Command) => Promise<Command>
}

/** Every command. One is loaded when it is named: with all that they import, loading all of them takes longer than most of them run. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  label: {
    description: 'Label by hand, on a page in the browser, and watch the model learn.',
    load: async (signal) => (await import('./commands/label.ts')).labelCommand(signal),
  },
  run: {
    description: 'Learn a classifier from few labels, with answers from a column, a program or a service.',
    load: async (signal) => (await import('./commands/run.ts')).runCommand(signal),
  },
  compare: {
    description: 'Try strategies on labelled data, many times each, and say how many labels they save.',
    load: async (signal) => (await import('./commands/compare.ts')).compareCommand(signal),
  },
  audit: {
    description:
      'Measure how good predictions are, in as many ways as you like, from few answers, with intervals that hold while you watch.',
    load: async (signal) => (await import('./commands/audit.ts')).auditCommand(signal),
  },
  certify: {
    description: 'Freeze the model of a project and measure how good it is on the points nobody has labelled.',
    load: async (signal) => (await import('./commands/certify.ts')).certifyCommand(signal),
  },
  ask: {
    description: 'Ask the record of an audit one thing more: read off its answers, nothing is drawn and nothing written.',
    load: async () => (await import('./commands/ask.ts')).askCommand(),
  },
  assess: {
    description: 'Say how often predictions made elsewhere are wrong, from the answers a project has. No answer is asked for.',
    load: async (signal) => (await import('./commands/assess.ts')).assessCommand(signal),
  },
  commit: {
    description: 'Commit to an audit before its seed can be known, so that nobody can say that the seed was chosen.',
    load: async (signal) => (await import('./commands/commit.ts')).commitCommand(signal),
  },
  key: {
    description: 'Show the key that your certificates are signed with; the first time, make it.',
    load: async () => (await import('./commands/key.ts')).keyCommand(),
  },
  verify: {
    description: 'Recompute a certificate from its record: every hash, rule, draw, probability and limit.',
    load: async () => (await import('./commands/verify.ts')).verifyCommand(),
  },
  trust: {
    description: 'Confirm the server that a project from somebody else names, before it is sent your password.',
    load: async () => (await import('./commands/trust.ts')).trustCommand(),
  },
  import: {
    description: 'Bring more into a project: points to draw from, or labels that are there already.',
    load: async () => (await import('./commands/import.ts')).importCommand(),
  },
  export: {
    description: 'Hand over what a project has come to: labels with weights, predictions, model, certificates.',
    load: async (signal) => (await import('./commands/export.ts')).exportCommand(signal),
  },
  predict: {
    description: 'Apply an exported model to new data, however much of it there is.',
    load: async (signal) => (await import('./commands/predict.ts')).predictCommand(signal),
  },
  status: {
    description: 'Show where a project stands, also while somebody works on it.',
    load: async (signal) => (await import('./commands/status.ts')).statusCommand(signal),
  },
  backup: {
    description: 'Copy a project as it stands now, also while somebody works on it.',
    load: async (signal) => (await import('./commands/backup.ts')).backupCommand(signal),
  },
  demo: {
    description: 'Label 1,797 handwritten digits on a page in the browser, to see how it goes.',
    load: async (signal) => (await import('./commands/demo.ts')).demoCommand(signal),
  },
  doctor: {
    description: 'Say what this machine offers and what alis makes of it.',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  },
  completion: {
    description: 'Print a script that lets your shell complete commands, options and their values.',
    load: async (_, program) => (await import('./commands/completion.ts')).completionCommand(program),
  },
}
