import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { barLine, progressBar } from './progress.ts'

/** A stream that remembers, and says it is a terminal of 80 columns or a file. */
function screen(isTTY: boolean) {
  let text = ''
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  return { stream: Object.assign(stream, { isTTY, columns: 80 }), text: () => text }
}

const state = { label: 'reading', done: 500, total: 1000, elapsed: 3, note: '', width: 79 }

it('says how far, how many, how long, and what', () => {
  expect(barLine(state)).toBe('reading  ━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌   50 %  500/1,000  3.0 s left')
  expect(barLine({ ...state, done: 999, note: 'test error 3.1 %' })).toBe(
    'reading  ━━━━━━━━━━━━━━━━━━━╌   99 %  999/1,000  3 ms left  test error 3.1 %',
  )
  expect(barLine({ ...state, done: 0 })).toBe('reading  ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌    0 %  0/1,000')
  expect(barLine({ ...state, done: 1000 })).toBe('reading  ━━━━━━━━━━━━━━━━━━━━  100 %  1,000/1,000')
  expect(barLine({ ...state, done: 0, total: 0 })).toBe('reading  ━━━━━━━━━━━━━━━━━━━━  100 %  0/0')
})

it('never runs over the end of the line', () => {
  expect(barLine({ ...state, note: 'a long note', width: 50 })).toBe('reading  ━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌   50 %  500/1,000  …')
})

it('draws on a terminal and leaves the line empty, also when stopped early', () => {
  const { stream, text } = screen(true)
  const bar = progressBar({ label: 'reading', total: 10, stream })
  bar.update(3, 'a note')
  bar.stop()
  expect(text()).toContain('reading  ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌   30 %  3/10')
  expect(text()).toContain('a note')
  expect(text().endsWith('\x1b[1G\x1b[2K')).toBe(true) // to the first column, clear the line
  expect(text()).not.toContain('\x1b[?') // no mode of the terminal was touched, so none has to be restored
})

it('may be stopped twice and updated after that', () => {
  const { stream, text } = screen(true)
  const bar = progressBar({ label: 'reading', total: 10, stream })
  bar.stop()
  const before = text()
  bar.update(5)
  bar.stop()
  expect(text()).toBe(before)
})

it('is silent where nobody watches', () => {
  const { stream, text } = screen(false)
  const bar = progressBar({ label: 'reading', total: 10, stream })
  bar.update(3, 'a note')
  bar.stop()
  expect(text()).toBe('')
})
