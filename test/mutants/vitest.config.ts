import { defineConfig } from 'vitest/config'

const rooms = (process.env.ALIS_MUTANT_TESTS ?? 'src').split(',')

// The tests of a room, beside its sources; Stryker picks those that come past a mutant.
export default defineConfig({
  test: {
    include: rooms.flatMap((room) => (room.endsWith('.test.ts') ? [room] : [`${room}/**/*.test.ts`, `${room}*.test.ts`])),
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    isolate: false,
  },
})
