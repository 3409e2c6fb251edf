import { describe, expect, it } from 'vitest'
import { bytes, count, counted, interval, percent, plusMinus } from './numbers.ts'

describe('numbers', () => {
  it('put a no-break space before the sign', () => {
    expect(percent(0.08)).toBe('8\u00a0%')
    expect(interval(0.03, 0.27)).toBe('3\u00a0% to 27\u00a0%')
  })

  it('keep a decimal where whole percents would say nothing', () => {
    expect(percent(0.004)).toBe('0.4\u00a0%')
    expect(percent(0.014)).toBe('1.4\u00a0%')
    expect(percent(0.01)).toBe('1\u00a0%')
    expect(percent(0)).toBe('0\u00a0%')
    expect(percent(0.104)).toBe('10\u00a0%')
  })

  it('write tolerances as people ask for them', () => {
    expect(plusMinus(0.02)).toBe('±2\u00a0%')
    expect(plusMinus(0.015)).toBe('±1.5\u00a0%')
  })

  it('separate thousands and count one thing in the singular', () => {
    expect(count(1797)).toBe('1,797')
    expect(counted(1, 'answer')).toBe('1 answer')
    expect(counted(1240, 'answer')).toBe('1,240 answers')
  })

  it('give sizes as disks are sold', () => {
    expect(bytes(512)).toBe('512\u00a0B')
    expect(bytes(1_234_567)).toBe('1.2\u00a0MB')
    expect(bytes(264_712)).toBe('265\u00a0kB')
  })
})
