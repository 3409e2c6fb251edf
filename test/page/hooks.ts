// Around every test file of the page. Set up anew for each, while the modules they share, and the browser, stay.
import { afterAll, afterEach, expect } from 'vitest'
import { closeVisits, endServers } from './testing.ts'

afterEach(async () => {
  expect(await closeVisits()).toEqual([])
})
afterAll(endServers)
