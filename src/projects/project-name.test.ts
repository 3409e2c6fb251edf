import { expect, it } from 'vitest'
import { projectNameFor } from './project-name.ts'

it.each([
  ['/data/mails.csv', 'mails.alis'],
  ['mails.csv.gz', 'mails.alis'],
  ['parts/*.parquet', 'pool.alis'],
  ['mails-[0-9]*.jsonl.zst', 'mails-0-9.alis'],
])('a project about %s is called %s', (path, name) => {
  expect(projectNameFor(path)).toBe(name)
})
