import { cellOf, cellsOf, isJson, type Json, type ToolRecord } from './tool-record.ts'

/** How the file of a tool that evaluates language models becomes rows. */
interface LogFormat {
  readonly name: string
  isOne(file: Json): boolean
  rows(file: Json): readonly ToolRecord[]
}

/** Results of promptfoo: a row for each output, with the variables of its test and whether all assertions passed. */
const promptfoo: LogFormat = {
  name: 'promptfoo',
  isOne: ({ results }) => isJson(results) && Array.isArray(results.results),
  rows: ({ results }) => objectsIn(isJson(results) ? results.results : []).map(promptfooRow),
}

function promptfooRow(result: Json, at: number): ToolRecord {
  const { testIdx, promptIdx, provider, prompt, response, gradingResult, success, score, vars, testCase, error } = result
  const { reason } = isJson(gradingResult) ? gradingResult : { reason: error }
  const own: ToolRecord = {
    id: testIdx === undefined ? at + 1 : `${testIdx}-${promptIdx ?? 0}`,
    provider: cellOf(isJson(provider) ? provider.label || provider.id : provider),
    prompt: cellOf(isJson(prompt) ? prompt.raw : prompt),
    output: cellOf(isJson(response) ? response.output : response),
    verdict: success === true ? 'pass' : 'fail',
    score: cellOf(score),
    reason: cellOf(reason),
  }
  const variables = isJson(vars) ? vars : isJson(testCase) ? testCase.vars : undefined
  return { ...own, ...cellsOf(variables, own, 'vars') }
}

/** Logs of Inspect: a row for each sample, with what came in, what was wanted, what came out, and what every scorer says. */
const inspect: LogFormat = {
  name: 'Inspect',
  isOne: ({ samples, eval: task }) => isJson(task) && Array.isArray(samples),
  rows: ({ samples }) => inspectRows(objectsIn(samples)),
}

/** Rows of samples, wherever these are kept. */
export function inspectRows(samples: readonly Json[]): readonly ToolRecord[] {
  const isRepeated = samples.some(({ epoch }) => typeof epoch === 'number' && epoch > 1)
  return samples.map(({ id, epoch, input, target, output, scores, metadata }) => {
    const own: ToolRecord = {
      id: isRepeated ? `${cellOf(id)}-${cellOf(epoch)}` : cellOf(id),
      ...(isRepeated && { epoch: cellOf(epoch) }),
      input: said(input),
      target: Array.isArray(target) ? target.join(', ') : cellOf(target),
      output: outputOf(output),
    }
    const values = Object.entries(isJson(scores) ? scores : {}).map(([name, score]) => [name, verdictOf(score)])
    const scored = { ...own, ...cellsOf(Object.fromEntries(values), own, 'scores') }
    return { ...scored, ...cellsOf(metadata, scored, 'metadata') }
  })
}

const verdicts: Readonly<Record<string, string>> = { C: 'correct', I: 'incorrect', P: 'partial', N: 'no answer' }

function verdictOf(score: unknown) {
  const value = isJson(score) ? score.value : score
  return typeof value === 'string' ? (verdicts[value] ?? value) : cellOf(value)
}

/** The last thing that a user said, of a conversation. */
function said(input: unknown) {
  if (!Array.isArray(input)) return cellOf(input)
  return textOf(objectsIn(input).findLast(({ role }) => role === 'user')?.content)
}

function outputOf(output: unknown) {
  if (!isJson(output)) return cellOf(output)
  const [choice] = objectsIn(output.choices)
  return isJson(choice?.message) ? textOf(choice.message.content) : cellOf(output.completion)
}

/** Content of a message, which may be in parts. */
function textOf(content: unknown) {
  if (!Array.isArray(content)) return cellOf(content)
  return objectsIn(content)
    .flatMap(({ text }) => (typeof text === 'string' ? text : []))
    .join('\n')
}

const objectsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : [])

/** Tools whose results are one object in a file of JSON. */
export const evaluationLogs: readonly LogFormat[] = [promptfoo, inspect]
