import { expect, it } from 'vitest'
import { nodeRefusal } from './node-version.ts'

it('refuses a Node that is too old, and says what to do', () => {
  expect(nodeRefusal('20.20.2')).toMatch(/^alis: Node 22 or later is required, got 20\.20\.2\n {6}In a clone/)
})

it.each(['22.0.0', '24.21.0', '100.0.0', process.versions.node])('takes %s', (version) => {
  expect(nodeRefusal(version)).toBeUndefined()
})
