import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const rooms = (process.env.ALIS_MUTANT_TESTS ?? 'src').split(',')

/** How long each file took at the most, in ms. */
const durations = new Map<string, number>()

/** Quick files first: most mutants fall to the first test that comes past them, and the rest need not run then. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    for (const file of files) {
      const { duration = 0 } = this.ctx.cache.getTestSpecificationResult(file) ?? {}
      durations.set(file.moduleId, Math.max(durations.get(file.moduleId) ?? 0, duration))
    }
    return files.toSorted((a, b) => durations.get(a.moduleId)! - durations.get(b.moduleId)!)
  }
}

// The tests of a room, beside its sources; Stryker picks those that come past a mutant.
export default defineConfig({
  test: {
    include: rooms.flatMap((room) => (room.endsWith('.test.ts') ? [room] : [`${room}/**/*.test.ts`, `${room}*.test.ts`])),
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    isolate: false, // starting a thread for every file would take most of the time
    sequence: { sequencer: QuickFirst },
  },
})
