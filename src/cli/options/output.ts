export interface OutputOptions {
  readonly json?: boolean
  readonly quiet?: boolean
}

export const jsonFlag = ['--json', 'one JSON object a line on stdout, for programs'] as const
export const noSignFlag = ['--no-sign', 'leave the certificate without the signature of your key (alis key)'] as const
export const quietFlag = ['--quiet', 'say the result only, in one line'] as const
