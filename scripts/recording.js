// Records `alis run` in a terminal, as the README has it: `node scripts/recording.js`, a part of `npm run pictures`.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../src/cli/command-line.ts'
import { movingPicture } from './moving-picture.js'
import { terminalScreen } from './terminal-screen.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [columns, rows] = [80, 31]
const command = 'alis run digits.csv --label digit --positive 1,3,5,7,9 --seed 7 --start 20 --batch 20 --budget 500'

/** A frame stays so long, in seconds: what was typed, a round, and what is said in the end. */
const [typed, round, end] = [1.2, 0.3, 6]

/** Everything the command writes to a terminal up to its last word on the model: a frame for each round, and one for the end. */
async function record() {
  const screen = terminalScreen(columns, rows)
  const [before, after] = command.split(' --batch')
  screen.write(`$ ${before} \\\n    --batch${after}\n`)
  const frames = [{ screen: screen.rows(), seconds: typed }]
  let clock = 0
  Date.now = () => clock
  const writes = ['stdout', 'stderr'].map((name) => {
    const stream = process[name]
    Object.assign(stream, { isTTY: true, columns, rows })
    const { write } = stream
    stream.write = (text) => {
      screen.write(`${text}`)
      if (!/━|╌/.test(text) || !text.includes('labels')) return true
      clock += 1000 * round
      frames.push({ screen: screen.rows(), seconds: round })
      return true
    }
    return () => Object.assign(stream, { write })
  })
  process.env.TERM = 'xterm'
  process.chdir(join(root, 'data'))
  const code = await runCommandLine(command.split(' ').slice(1))
  for (const restore of writes) restore()
  if (code !== 0) throw new Error(`recording: the command must end well, got ${code}\n${screen.text()}`)
  screen.cutFrom('Model ') // its identity, and how long it took
  return [...frames, { screen: screen.rows(), seconds: end }]
}

const frames = await record()
writeFileSync(join(root, 'docs/pictures/run.svg'), movingPicture(frames, { columns, rows, title: command }))
process.exit() // kernels keep threads
