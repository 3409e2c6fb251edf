import { describe, expect, it } from 'vitest'
import { found, mostUsed } from './finding.ts'

const names = ['Agricultural spare parts', 'Office supplies', 'Industrial spare parts', 'Spare time', 'Pièces détachées']
const said = (typed: string) =>
  found(names, typed).map(({ name, from, to }) => `${name.slice(0, from)}[${name.slice(from, to)}]${name.slice(to)}`)

describe('finding a class', () => {
  it('begins with names that begin so, then words, then any part', () => {
    expect(said('spare')).toEqual(['[Spare] time', 'Agricultural [spare] parts', 'Industrial [spare] parts'])
    expect(said('ice')).toEqual(['Off[ice] supplies'])
    expect(found(names, '')).toHaveLength(names.length)
    expect(said('nothing')).toEqual([])
  })

  it('ignores accents and case, and takes what is typed as it is', () => {
    expect(said('DETACH')).toEqual(['Pièces [détach]ées'])
    expect(said('(')).toEqual([])
  })
})

it('gives digits to the nine most used after forty answers', () => {
  const byClass = [
    { label: 'a', answers: 10 },
    { label: 'b', answers: 20 },
    { label: null, answers: 9 },
    { label: 'c', answers: 0 },
  ]
  expect(mostUsed(byClass)).toEqual([])
  expect(mostUsed([...byClass, { label: 'd', answers: 1 }])).toEqual(['b', 'a', 'd'])
})
