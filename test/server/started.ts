import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from '../command.ts'
import { atEnd } from '../endings.ts'

const main = join(root, 'src/cli/main.ts')

/** The command as a process of its own, up to the address it prints. It is ended after the tests, if it still runs then. */
export async function start(
  cwd: string,
  args: readonly string[],
): Promise<{ child: ChildProcess; url: string; said: () => string }> {
  const child = spawn(process.execPath, [main, ...args, '--port', '0', '--no-open', '--json'], { cwd })
  atEnd(() => child.kill('SIGKILL'))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      const line = JSON.parse(text.split('\n')[0]!)
      expect(line).toMatchObject({ type: 'progress', step: 'listening' })
      resolve(line.url)
    })
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${said}`)))
  })
  return { child, url, said: () => said }
}

/** Ends it by a signal; gives its exit code. */
export function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('exit', resolve)
    child.kill(signal)
  })
}
