import { expect, it } from 'vitest'
import { linesThatFit, liveLines } from './live-lines.ts'

function terminal(rows: number, columns: number) {
  const written: string[] = []
  const stream = { isTTY: true, rows, columns, write: (text: string) => written.push(text) }
  return { written, lines: liveLines(stream as unknown as NodeJS.WriteStream) }
}

it('writes over what it wrote before, and leaves nothing behind', () => {
  const { written, lines } = terminal(24, 80)
  lines.show(['one', 'two', 'three'])
  lines.show(['four'])
  lines.clear()
  expect(written).toEqual(['\r\u001b[2Kone\ntwo\nthree', '\r\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2Kfour', '\r\u001b[2K'])
})

it('never has more lines than the terminal, nor longer ones', () => {
  const { written, lines } = terminal(4, 10)
  lines.show(['a line that is too long', 'b', 'c', 'd', 'e'])
  expect(written).toEqual(['\r\u001b[2Ka line t…\nb\n+ 3 more'])
})

it.each([
  [5, ['a', 'b', 'c']],
  [3, ['a', 'b', 'c']],
  [2, ['a', '+ 2 more']],
  [1, ['a']],
  [0, ['a']],
])('of three lines %i fit as they should', (most, fitting) => expect(linesThatFit(['a', 'b', 'c'], most)).toEqual(fitting))

it('is silent where nobody sees it', () => {
  const stream = { isTTY: false, write: () => expect.unreachable() }
  const lines = liveLines(stream as unknown as NodeJS.WriteStream)
  lines.show(['a'])
  lines.clear()
})
