// Where the browser for the page's tests, bench and pictures is.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const shells = ['chromium-headless-shell', 'chrome-headless-shell'] // without a window, at half the processor
const names = [...shells, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** `CHROMIUM_PATH`, or else the first Chromium or Chrome on PATH; undefined where there is none. */
export function findChromium() {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) return existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined
  const onPath = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  return [...onPath, ...places].find((path) => existsSync(path))
}

export const noChromium =
  'The tests of the page need Chromium or Chrome, and none was found. Install one, or say where it is by CHROMIUM_PATH.'
