import { InvalidArgumentError } from 'commander'

/** Readers of option values; commander puts the option's name before the message. */
export function wholeNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError(`a whole number is required, got ${JSON.stringify(text)}`)
  }
  return value
}

export function positiveWhole(text: string): number {
  const value = wholeNumber(text)
  if (value === 0) throw new InvalidArgumentError('a whole number of at least 1 is required, got "0"')
  return value
}

export function numberIn(low: number, high: number, { open = false } = {}): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const inside = open ? value > low && value < high : value >= low && value <= high
    if (text.trim() === '' || !inside) {
      const range = open ? `(${low}, ${high})` : `[${low}, ${high}]`
      throw new InvalidArgumentError(`a number in ${range} is required, got ${JSON.stringify(text)}`)
    }
    return value
  }
}

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    throw new InvalidArgumentError(`a positive number is required, got ${JSON.stringify(text)}`)
  }
  return value
}

export function names(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}

/** The number of draws a round; `literal` is the paper to the letter, one expected. */
export function batchSize(text: string): number {
  return text === 'literal' ? 1 : positiveWhole(text)
}

/** A share of the rows, or a file. */
export function testSource(text: string): number | string {
  return Number.isNaN(Number(text)) ? text : numberIn(0, 1, { open: true })(text)
}
