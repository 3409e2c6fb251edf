/** What a file holds: text, bytes, or what becomes of the good one in stock. */
export type Content = string | Uint8Array | ((good: Buffer) => string | Uint8Array)

/** An input that must be refused. Whatever is not mentioned must be as it was afterwards. */
export interface BadInput {
  /** What is wrong. */
  readonly name: string
  /** As typed after `alis`. What it names and the stock has is there. */
  readonly command: string
  /** Files that are there too, or that take the place of good ones. */
  readonly files?: Readonly<Record<string, Content>>
  /** Another process has the project open to write, everything is read-only, or the command waits more than it computes: in a process of its own. */
  readonly while?: 'locked' | 'read-only' | 'waiting'
  /** `where: what is required, got what`, the whole of it. */
  readonly message: string | RegExp
  readonly hint?: string | RegExp
  /** 2 (default): bad input. 1: the machine, the disk or the oracle failed. */
  readonly exit?: 1 | 2
  /** It fails in the middle of work: the record of the project may have grown, and nothing of it may have changed. */
  readonly hasBegun?: boolean
}

/** An input that looks odd and is fine. */
export interface FineInput {
  readonly name: string
  readonly files: Readonly<Record<string, Content>>
  /** Command for the odd file, and for a plain one with the same content: both must say the same. */
  readonly command: string
  readonly plain: string
}
