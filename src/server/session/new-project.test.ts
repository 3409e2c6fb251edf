import { describe, expect, it } from 'vitest'
import { newProject, pathInside } from './new-project.ts'

describe('a path of a request', () => {
  it.each([
    ['pool.csv', '/data/dir/pool.csv'],
    ['sub/../pool.csv', '/data/dir/pool.csv'],
    ['/data/dir/sub/pool.csv', '/data/dir/sub/pool.csv'],
    ['..pool.csv', '/data/dir/..pool.csv'],
  ])('may lie in the directory: %s', (path, full) => {
    expect(pathInside('/data/dir', path)).toBe(full)
  })

  it.each([
    '..',
    '.',
    '',
    '../dir',
    '../pool.csv',
    '../dir-other/pool.csv',
    'sub/../../pool.csv',
    '/etc/passwd',
    '/data/dir-other/x',
    '/data',
  ])('may lie nowhere else: %j', (path) => {
    expect(() => pathInside('/data/dir', path)).toThrow(`${path}: must lie in /data/dir, got another place`)
  })
})

describe('a project to begin', () => {
  const begin = {
    path: 'pool.csv',
    project: 'pool.alis',
    wishes: { label: 'digit', ignore: ['note'] },
    classes: [
      { name: 'a', key: '1' },
      { name: 'b', key: '2' },
    ],
    question: '?',
    guidelines: '',
    plan: { strategy: 'alis', batch: 5, budget: 20 },
    start: 5,
  }
  const change = (changed: object) => () => newProject({ ...begin, ...changed }, '/data/pool.csv')

  it('shows people no column of labels', () => {
    expect(newProject(begin, '/data/pool.csv')).toMatchObject({
      kind: 'new',
      beginning: { path: '/data/pool.csv', wishes: { ignore: ['note', 'digit'] }, classes: ['a', 'b'], loss: 'logistic', l2: 1 },
      labelling: { question: '?', classes: begin.classes },
    })
    expect(newProject({ ...begin, wishes: {} }, '/p')).toMatchObject({ beginning: { wishes: {} } })
  })

  it('has classes that differ by name and by key, a strategy and a loss', () => {
    const [first] = begin.classes
    expect(change({ classes: [first, { name: 'b', key: '1' }] })).toThrow('every key')
    expect(change({ classes: [first, { name: 'a', key: '2' }] })).toThrow('every name')
    expect(change({ plan: { ...begin.plan, strategy: '__proto__' } })).toThrow('strategy: one of')
    expect(change({ loss: 'toString' })).toThrow(
      'loss: one of logistic, squared, squared-hinge, hinge, exponential is required, got toString',
    )
    expect(change({ loss: 'squared' })).not.toThrow()
  })
})
