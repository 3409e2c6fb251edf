import { AlisError, requireInput } from '../core/errors.ts'
import { type Metric, metricNames, ratioMetrics } from '../metrics/catalogue.ts'
import { type Certificate, partVersions } from './certificate.ts'

/** A certificate in the text of a file; `path`: the name of that. */
export function certificateIn(path: string, text: string): Certificate {
  const parsed = parse(text)
  refuseFirstFormat(path, parsed)
  refuseLater(path, parsed)
  requireInput(
    isCertificate(parsed),
    `${path}: must be a certificate that alis audit or alis certify wrote, got something else`,
    'They write JSON; the page beside it is for people.',
  )
  return parsed
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
  throw new AlisError('bad-input', `${path}: a certificate of format 2 or later is required, got one of format 1`, hint)
}

/** What a later release wrote, with parts that this one does not have. */
function refuseLater(path: string, parsed: unknown): void {
  if (!isObject(parsed) || !Number.isInteger(parsed.format) || (parsed.format as number) < 3) return
  const { format, versions } = parsed
  const parts = isObject(versions) ? versions : {}
  const by = isText(parts.alis) ? `alis-learn ${parts.alis}` : 'a later release'
  const hint = `It was written by ${by}, which verifies it, and so does any release after that.`
  if (format !== 3)
    throw new AlisError('bad-input', `${path}: a certificate of format 3 or older is required, got ${format}`, hint)
  for (const [name, known] of Object.entries(partVersions))
    if (parts[name] !== known)
      throw new AlisError(
        'bad-input',
        `${path}: version ${known} of ${name} is required, got ${JSON.stringify(parts[name]) ?? 'none'}`,
        hint,
      )
}

/** As much of the shape as an audit is done again from; all else is compared with what comes out. */
function isCertificate(value: unknown): value is Certificate {
  if (!isObject(value) || (value.format !== 2 && value.format !== 3)) return false
  const { classes, questions, best, rounds, revisions, pool, columns, goal, seed, seedChosen, versions, conduct = {} } = value
  return (
    isList(classes, isText) &&
    isList(questions, isQuestion) &&
    isList(rounds, isRound) &&
    isList(revisions, isObject) &&
    [pool, columns, goal, conduct].every(isObject) &&
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
