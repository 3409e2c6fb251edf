import fc from 'fast-check'

// Property tests use the same cases on every run; `npm run test:fresh` looks for new ones and prints the seed of a failure.
if (!process.env.ALIS_FRESH_SEEDS) fc.configureGlobal({ seed: 20260101 })
