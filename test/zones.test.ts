import { expect, it } from 'vitest'
import { backArrows, violations } from '../scripts/zones.js'

const check = (path: string, text: string) => violations(new Map([[path, text]]))

it.each([
  ['losses/x.ts', "import { learn } from '../loop.ts'", 'losses/x.ts: losses may not import loop.ts (../loop.ts)'],
  ['core/x.ts', "import { readFileSync } from 'node:fs'", 'core/x.ts: core may not use the package node:fs'],
  ['engines/x.ts', "import { bernoulli } from '../designs/bernoulli.ts'", 'engines/x.ts: engines may not import designs'],
  ['loop.ts', "import { memoryStore } from './stores/memory.ts'", 'loop.ts: loop.ts may not import stores (./stores/memory.ts)'],
  ['masses/x.ts', "const x = await import('../engines/memory.ts')", 'masses/x.ts: masses may not import engines'],
  ['masses/x.ts', "export { logistic } from '../losses/logistic.ts'", 'masses/x.ts: masses may not import losses'],
  [
    'server/worker/x.ts',
    "import { serve } from '../http/serve.ts'",
    'server/worker/x.ts: server/worker may not import server/http',
  ],
  [
    'projects/pools/x.ts',
    "import '../scores/x.ts'\nimport { x } from '../scores/x.ts'",
    'projects/pools may not import projects/scores',
  ],
  ['web/parts/X.tsx', "import { Shell } from '../shell/Shell.tsx'", 'web/parts may not import web/shell (../shell/Shell.tsx)'],
  ['web/label/x.ts', "import { z } from 'zod'", 'web/label may not use the package zod'],
  ['utils/x.ts', '', 'utils/x.ts: must lie in a room, got utils'],
])('a forbidden import in %s is found', (path, text, message) => {
  expect(check(path, text)).toEqual([expect.stringContaining(message)])
})

it('what the design allows is allowed', () => {
  expect(
    check('engines/x.ts', "import type { Design } from '../designs/design.ts'\nimport { sumOf } from '../core/sums.ts'"),
  ).toEqual([])
  expect(check('cli/commands/x.ts', "import { memoryStore } from '../../stores/memory.ts'")).toEqual([])
})

it('no two rooms can need each other, and rules that would let them are found', () => {
  expect(backArrows()).toEqual([])
  const twoWays = { one: { imports: ['other'] }, other: { imports: ['one'] } }
  expect(backArrows(twoWays)).toEqual(['one: must stand below what it imports, got other'])
})
