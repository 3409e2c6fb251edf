import { configDefaults, defineConfig } from 'vitest/config'

const page = ['test/page/**/*.test.ts']
const statistical = ['test/statistical/**/*.test.ts']

export default defineConfig({
  test: {
    // They run in the order of their names: the many short ones come last, so that two workers end together.
    projects: [
      {
        extends: true,
        test: {
          name: 'across',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...page, ...statistical],
        },
      },
      // Statistical tests share what is compiled of the intervals.
      { extends: true, test: { name: 'intervals', include: statistical, isolate: false } },
      // The tests of the page share a browser.
      { extends: true, test: { name: 'page', include: page, setupFiles: ['test/page/hooks.ts'], isolate: false } },
      // The tests of parts share their modules: to read them anew for each of 200 files takes longer than many of the tests.
      { extends: true, test: { name: 'parts', include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'], isolate: false } },
    ],
    globalSetup: ['test/scratch.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000, // whole audits, on machines that are shared
    hookTimeout: 120_000, // and servers and browsers that they are done with
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
})
