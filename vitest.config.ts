import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      // The tests of parts share their modules: to read them anew for each of 150 files takes longer than many of the tests.
      { extends: true, test: { name: 'parts', include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000, // whole audits, on machines that are shared
    hookTimeout: 120_000, // and servers and browsers that they are done with
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
})
