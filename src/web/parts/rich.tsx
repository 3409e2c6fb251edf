import { Fragment, type ReactNode } from 'react'

/** Words with parts that are more than words: "wrong on {value}", where each name in braces stands for a part. */
export function rich(words: string, parts: Readonly<Record<string, ReactNode>>): ReactNode[] {
  return words.split(/\{(\w+)\}/).map((piece, k) => <Fragment key={k}>{k % 2 === 1 ? parts[piece] : piece}</Fragment>)
}
