import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { type Certificate, certificateText, firstDifference } from '../certificates/certificate.ts'
import { AlisError, requireInput } from '../core/errors.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { certify } from './auditing.ts'
import { writeLine } from './json-lines.ts'
import { loadPredictions } from './predictions.ts'

interface Options {
  readonly pool: string
  readonly json?: boolean
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description('Recompute a certificate from its record: every hash, draw, probability and the interval.')
    .argument('<certificate>', 'certificate.json')
    .requiredOption('--pool <file>', 'the predictions it is about')
    .option('--json', 'one JSON object a line on stdout, for programs')
    .addHelpText('after', '\nExample:\n  $ alis verify audit.json --pool predictions.csv')
    .action(verify)
}

async function verify(path: string, options: Options): Promise<void> {
  const difference = await differenceIn(path, options)
  if (difference)
    throw new AlisError('bad-input', `certificate: ${difference}`, 'This certificate does not follow from its record.')
  if (options.json) writeLine('result', { verified: true })
  else process.stdout.write('Verified: every draw, probability and limit follows from the pool, the seed and the answers.\n')
}

/** Does the whole audit again with the recorded answers, and compares. */
async function differenceIn(path: string, options: Options): Promise<string | undefined> {
  const text = readFileSync(path, 'utf8')
  const given = parse(text)
  const { columns, classes, metric, positive } = given
  const about = { metric, ...(positive !== undefined && { positive }) }
  const predictions = await loadPredictions(options.pool, { ...columns, classes, ...about })
  const { goal, level, batch, seed, seedChosen } = given
  const strategy = given.strategy === 'uniform' ? 'uniform' : 'alis-audit'
  const recorded = new Map(given.draws.map(({ id, answer }) => [id, answer]))
  // Whoever was never asked cannot tell: then the draws differ, and that is what we want to name.
  const oracle: Oracle = {
    name: 'record',
    close: async () => {},
    async *label(ids) {
      for (const id of ids) yield { id, label: recorded.get(id) ?? null }
    },
  }

  const early =
    firstDifference(given.pool, { size: predictions.engine.size, hash: predictions.poolHash }, 'pool') ??
    firstDifference(given.model, predictions.model.id, 'model')
  if (early) return early
  const again = certify(predictions, { oracle }, { ...about, goal, level, batch, strategy, seed, seedChosen })
  let step = await again.next()
  for (let at = 0; !step.done; step = await again.next()) {
    const { round, draws, answers } = step.value
    for (const { id, order, probability } of draws.filter((draw) => answers.has(draw.id))) {
      const difference = firstDifference(
        given.draws[at],
        { round, order, id, probability, answer: answers.get(id) },
        `draws.${at}`,
      )
      if (difference) return difference
      at++
    }
  }
  return (
    firstDifference(given, step.value) ??
    (certificateText(step.value) === text ? undefined : 'the file must be as it was written, got other white space')
  )
}

function parse(text: string): Certificate {
  let parsed: Certificate | undefined
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = undefined
  }
  requireInput(
    parsed?.format === 'alis-certificate/1' && Array.isArray(parsed.draws),
    'certificate: a file written by alis audit is required, got something else',
  )
  return parsed
}
