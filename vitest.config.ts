import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000, // whole audits, on machines that are shared
    hookTimeout: 120_000, // and servers and browsers that they are done with
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
})
