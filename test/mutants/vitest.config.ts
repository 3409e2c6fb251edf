import { defineConfig } from 'vitest/config'

// The tests beside the sources, which run them in process; Stryker picks those that come past a mutant.
export default defineConfig({
  test: { include: ['src/**/*.test.ts'], setupFiles: ['test/setup.ts'], testTimeout: 60_000 },
})
