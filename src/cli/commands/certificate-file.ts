import { readFileSync } from 'node:fs'
import { AlisError, requireInput } from '../../core/errors.ts'
import { type Metric, metricNames, ratioMetrics } from '../../metrics/catalogue.ts'
import type { Certificate } from '../../questions/certificate.ts'

export function readCertificate(path: string): { readonly text: string; readonly certificate: Certificate } {
  const text = textOf(path)
  const parsed = parse(text)
  refuseFirstFormat(path, parsed)
  requireInput(
    isCertificate(parsed),
    `${path}: must be a certificate that alis audit or alis certify wrote, got something else`,
    'They write JSON; the page beside it is for people.',
  )
  return { text, certificate: parsed }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const got = code === 'ENOENT' ? 'nothing there' : code === 'EISDIR' ? 'a directory' : message
    throw new AlisError('bad-input', `${path}: must be a certificate, got ${got}`, 'Check the spelling of the path.', {
      cause: error,
    })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What release 0.1 wrote cannot be done again by the rules of today, and some of it should not have been said. */
function refuseFirstFormat(path: string, parsed: unknown): void {
  if (!isObject(parsed) || parsed.format !== 'alis-certificate/1') return
  const { metric } = parsed
  const hint = ratioMetrics.some((ratio) => ratio === metric)
    ? `The interval of this format did not hold for ${metric}: masses could become 0 where an answer mattered. Make a new certificate.`
    : 'It was written by release 0.1, which verifies it.'
  throw new AlisError('bad-input', `${path}: a certificate of format 2 is required, got one of format 1`, hint)
}

/** As much of the shape as an audit is done again from; all else is compared with what comes out. */
function isCertificate(value: unknown): value is Certificate {
  if (!isObject(value) || value.format !== 2) return false
  const { classes, questions, best, rounds, revisions, pool, columns, goal, seed, seedChosen, versions } = value
  return (
    isList(classes, isText) &&
    isList(questions, isQuestion) &&
    isList(rounds, isRound) &&
    isList(revisions, isObject) &&
    [pool, columns, goal].every(isObject) &&
    isObject(versions) &&
    isText(versions.alis) &&
    (questions as unknown[]).length + (isObject(best) ? 1 : 0) > 0 &&
    (rounds as unknown[]).length > 0 &&
    Number.isFinite(seed) &&
    typeof seedChosen === 'boolean'
  )
}

const isRound = (round: unknown) =>
  isObject(round) && isText(round.stream) && isList(round.draws, isPoint) && isList(round.given, isPoint) && isRules(round.rules)

const isPoint = (point: unknown) => isObject(point) && isText(point.id) && (point.answer === null || isText(point.answer))

const isRules = (rules: unknown) =>
  isObject(rules) && [rules.belief, rules.mass, rules.goal].every(isObject) && isList(rules.questions, isQuestion)

const isQuestion = (asked: unknown) =>
  isObject(asked) && isObject(asked.question) && metricNames.includes(asked.question.metric as Metric)

const isText = (value: unknown): value is string => typeof value === 'string'

const isList = (value: unknown, each: (item: unknown) => boolean) => Array.isArray(value) && value.every(each)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
