import { describe, expect, it } from 'vitest'
import { adoptOrphans } from './orphans.ts'
import type { Entry } from './queue.ts'

const entry = (id: string): Entry => ({ round: 2, id, label: '7' })
const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
let browsers = 0

/** What all pages of one browser share: storage, and locks, which are the real ones. */
function browser() {
  const prefix = `alis:queue:test ${browsers++}:`
  const kept = new Map<string, string>()
  const told = new Set<() => void>()
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    removeItem: (name: string) => void kept.delete(name),
    key: (i: number) => [...kept.keys()][i] ?? null,
    get length() {
      return kept.size
    },
  }
  return {
    left: () => [...kept.keys()].map((name) => name.slice(prefix.length)),
    /** A page writes what it has not sent. */
    write(page: string, ...ids: string[]) {
      kept.set(prefix + page, JSON.stringify(ids.map(entry)))
      for (const tell of told) tell()
    },
    open(page: string) {
      const adopted: string[] = []
      const onStorage = (tell: () => void) => {
        told.add(tell)
        return () => void told.delete(tell)
      }
      const adopt = (entries: readonly Entry[]) => void adopted.push(...entries.map(({ id }) => id))
      const close = adoptOrphans({ storage, locks: navigator.locks, prefix, page, onStorage, onAdopt() {} }, { adopt })
      return { adopted, close }
    },
  }
}

describe('what pages leave unsent', () => {
  it('is adopted at once where its page is gone already', async () => {
    const { write, open, left } = browser()
    write('gone', 'a', 'b')
    const page = open('here')
    await settled()
    expect(page.adopted).toEqual(['a', 'b'])
    expect(left()).toEqual([])
    page.close()
  })

  it('is left alone while its page lives, and adopted when that closes', async () => {
    const { write, open } = browser()
    const other = open('other')
    const page = open('here')
    write('other', 'a')
    await settled()
    expect(page.adopted).toEqual([])
    other.close()
    await settled()
    expect(page.adopted).toEqual(['a'])
    page.close()
  })

  it('is adopted by one page only, however many wait for it', async () => {
    const { write, open } = browser()
    const other = open('other')
    const pages = ['x', 'y', 'z'].map(open)
    write('other', 'a', 'b')
    await settled()
    other.close()
    await settled()
    expect(pages.flatMap(({ adopted }) => adopted)).toEqual(['a', 'b'])
    for (const page of pages) page.close()
  })

  it('is never taken from the page itself', async () => {
    const { write, open, left } = browser()
    const page = open('here')
    write('here', 'a')
    await settled()
    expect(page.adopted).toEqual([])
    expect(left()).toEqual(['here'])
    page.close()
  })
})
