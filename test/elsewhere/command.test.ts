import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openProject } from '../../src/stores/sqlite.ts'
import { execute, jsonLines, root } from '../command.ts'
import { alisHere as alis } from '../in-process.ts'
import { folder, inline, pool, program } from './small-pool.ts'

const reading = ['--label', 'y', '--ignore', 'colour', '--seed', '5', '--start', '6', '--batch', '6']
const run = (command: string, ...more: string[]) => ['run', pool, ...reading, '--learner-command', command, ...more]
const drawn = (stdout: string) =>
  jsonLines(stdout)
    .filter(({ type }) => type === 'round')
    .map(({ draws, scores, model }) => ({ draws, scores, model }))

async function recordOf(path: string) {
  const project = await openProject(path, { mode: 'read' })
  const found = { rounds: await project.rounds(), looks: await project.looks(), models: await project.models() }
  await project.close()
  return found
}
const plainRounds = ({ rounds }: Awaited<ReturnType<typeof recordOf>>) =>
  rounds.map(({ answers, ...round }) => ({ ...round, answers: [...answers] }))

describe('a program fits the models', () => {
  it('the same draws come of its scores whether they are in its reply, in CSV or in NPY, in memory and on disk', async () => {
    const csv = `path = task["write"] + ".csv"
with open(path, "w") as file:
    print("yes,id,no", file=file)
    for id in reversed(p): print("%.17g,%s,%.17g" % (p[id], id, 1 - p[id]), file=file)
reply["file"] = path`
    const npy = `import alis_learner
path = task["write"] + ".npy"
alis_learner.write_npy(path, [[1 - p[row["id"]], p[row["id"]]] for row in rows], 2)
reply["file"] = path`
    const found = []
    for (const [name, says] of Object.entries({ inline, csv, npy })) {
      const command = program(name, says, `sys.path.insert(0, ${JSON.stringify(join(root, 'python'))})`)
      const { code, stdout, stderr } = await alis(run(command, '--rounds', '2', '--json'))
      expect(`${code} ${stderr}`).toBe('0 ')
      found.push(drawn(stdout))
    }
    const { stdout } = await alis(run(program('inline', inline), '--rounds', '2', '--json', '--engine', 'duckdb'))
    found.push(drawn(stdout).map((round) => ({ ...round, draws: near(round.draws) })))
    const [first, ...others] = found
    expect(first!.map(({ model }) => model)).toEqual(Array(3).fill(expect.stringMatching(/^middle 0\.[45]/)))
    expect(new Set(first!.map(({ scores }) => scores)).size).toBe(3)
    expect(others.slice(0, 2)).toEqual([first, first])
    expect(others[2]).toEqual(first!.map((round) => ({ ...round, draws: near(round.draws) })))
    const learned = first!.at(-1)!
    expect(learned.draws).not.toEqual(first![0]!.draws)
  })

  it('is asked for what there is to learn from, and kept from the answers', async () => {
    const asked = join(folder, 'asked.jsonl')
    const before = `log = open(${JSON.stringify(asked)}, "a")`
    const command = program('logging', `print(line.strip(), file=log, flush=True)\n${inline}`, before)
    await alis(run(command, '--rounds', '2', '--json'))
    const tasks = readFileSync(asked, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(tasks.map(({ fit, round, seed, labels }) => [fit, round, seed, labels.length])).toEqual([
      [1, 1, 5, 6],
      [2, 2, 5, 12],
      [3, 3, 5, 18],
    ])
    expect(tasks[0]).toMatchObject({ pool, id: 'id', hidden: ['y', 'colour'], classes: ['no', 'yes'] })
    for (const { id, label, weight } of tasks[2].labels) {
      expect([id, label, weight]).toEqual([expect.stringMatching(/^p\d+$/), expect.stringMatching(/^(yes|no)$/), 1])
    }
  })

  it('takes more than two classes, and rows that are named by their numbers', async () => {
    const numbered = join(folder, 'numbered.csv')
    writeFileSync(numbered, readFileSync(pool, 'utf8').replace(/^id,/, 'name,'))
    const says = 'reply["probabilities"] = {id: [(1 - q) / 2, q, (1 - q) / 2] for id, q in p.items()}'
    const command = program('three', says, '', 'str(i + 1)')
    const args = ['run', numbered, '--label', 'colour', '--ignore', 'y,name', '--rounds', '1', '--json', '--seed', '2']
    const { code, stdout, stderr } = await alis([...args, '--learner-command', command])
    expect(`${code} ${stderr}`).toBe('0 ')
    expect(drawn(stdout)[1]!.draws.every(({ id }: { id: string }) => /^\d+$/.test(id))).toBe(true)
  })
})

/** Probabilities up to the last digits, in which engines differ. */
const near = (draws: readonly { id: string; order: number; probability: number; mass: number }[]) =>
  draws.map(({ id, order, probability, mass }) => ({
    id,
    order,
    probability: probability.toPrecision(9),
    mass: mass.toPrecision(9),
  }))

describe('a run that is killed', () => {
  /** Another thing at every asking: what is not on record is lost for good. */
  const moody = `reply["identity"] = "asked " + str(int.from_bytes(os.urandom(6), "big"))
middle += int.from_bytes(os.urandom(2), "big") / 65536 - 0.5
p = {id: 1 / (1 + math.exp(-8 * (v - middle))) for id, v in x.items()}
${inline}`
  const asker = (deaths: string, at: number) => {
    const path = join(folder, `asker-${at}.py`)
    writeFileSync(
      path,
      `import json, os, signal, sys
done = 0
for line in sys.stdin:
    task = json.loads(line)
    done += 1
    if done == ${at} and not os.path.exists(${JSON.stringify(deaths)}):
        open(${JSON.stringify(deaths)}, "w").close()
        os.kill(os.getppid() if os.environ.get("ALIS_PID") is None else int(os.environ["ALIS_PID"]), signal.SIGKILL)
    print(json.dumps({"id": task["id"], "label": "yes" if float(task["fields"]["x"]) > 0.5 else "no"}), flush=True)
`,
    )
    return path
  }
  const args = (project: string, command: string, oracle: string) => [
    ...[
      'run',
      pool,
      '--classes',
      'no,yes',
      '--ignore',
      'y,colour',
      '--seed',
      '5',
      '--start',
      '6',
      '--batch',
      '6',
      '--rounds',
      '3',
    ],
    ...['--project', project, '--learner-command', command, '--oracle-command', oracle, '--json'],
  ]
  /** In a process of its own, which its oracle kills. */
  const living = (words: readonly string[]) =>
    execute('sh', ['-c', 'ALIS_PID=$$ exec "$0" "$@"', process.execPath, join(root, 'src/cli/main.ts'), ...words])

  it('goes on with the draws of the round that was open, from the scores on record, and never asks for a model twice', async () => {
    const project = join(folder, 'killed.alis')
    const oracle = `python3 '${asker(join(folder, 'death-1'), 15)}'` // in the midst of the second round
    const words = args(project, program('moody', moody), oracle)
    expect((await living(words)).code).toBe(null)
    const before = await recordOf(project)
    expect(before.rounds.at(-1)).toMatchObject({ round: 2, isClosed: false })
    const kept = readdirSync(join(project, 'scores')).length

    const again = await living(words)
    expect(`${again.code} ${again.stderr}`).toBe('0 ')
    const after = await recordOf(project)
    expect(plainRounds(after)[2]).toMatchObject({ ...plainRounds(before)[2], answers: expect.anything(), isClosed: true })
    expect(after.models.slice(0, before.models.length)).toEqual(before.models)
    expect(after.rounds.map(({ isClosed }) => isClosed)).toEqual([true, true, true, true])
    expect(readdirSync(join(project, 'scores')).length).toBe(kept + 4) // two models more, two files each
  }, 60_000)

  it('in the midst of a fit comes to the same bytes as one that was not', async () => {
    const [whole, killed] = [join(folder, 'whole.alis'), join(folder, 'parts.alis')]
    const death = join(folder, 'death-2')
    writeFileSync(death, '')
    const oracle = `python3 '${asker(death, 20)}'`
    const mortal = (told: string) => `if task["fit"] == 2 and not os.path.exists(${JSON.stringify(told)}):
    open(${JSON.stringify(told)}, "w").close()
    os.kill(int(os.environ["ALIS_PID"]), 9)
${inline}`
    expect((await living(args(whole, program('steady', mortal(death)), oracle))).code).toBe(0)
    const killing = program('mortal', mortal(join(folder, 'death-3')))
    expect((await living(args(killed, killing, oracle))).code).toBe(null)
    expect((await recordOf(killed)).rounds.at(-1)).toMatchObject({ round: 1, isClosed: true })
    expect((await living(args(killed, killing, oracle))).code).toBe(0)
    const [a, b] = [await recordOf(whole), await recordOf(killed)]
    expect(plainRounds(b)).toEqual(plainRounds(a))
    expect(b.models.map(({ model }) => model)).toEqual(a.models.map(({ model }) => model))
    expect(b.looks).toEqual(a.looks)
  }, 60_000)
})

describe('what comes of its models', () => {
  const project = join(folder, 'certified.alis')
  const command = program('certified', inline)

  it('is certified and verified without the program; the rest is refused with a hint', async () => {
    const begun = await alis(run(command, '--rounds', '2', '--project', project, '--json'))
    expect(`${begun.code} ${begun.stderr}`).toBe('0 ')
    const certified = await alis(['certify', project, '--budget', '40', '--json'])
    expect(`${certified.code} ${certified.stderr}`).toBe('0 ')
    const { certificate } = jsonLines(certified.stdout).at(-1)
    const { models } = await recordOf(project)
    expect(JSON.parse(readFileSync(certificate, 'utf8')).model).toBe(models.at(-1)!.model.id)

    // Learning goes on, and the certificate stays what it was.
    const more = await alis(run(command, '--rounds', '3', '--project', project, '--json'))
    expect(`${more.code} ${more.stderr}`).toBe('0 ')
    for (const engine of ['memory', 'duckdb'])
      expect(await alis(['verify', certificate, '--project', project, '--engine', engine])).toMatchObject({ code: 0 })

    const status = await alis(['status', project, '--now'])
    expect(status.stdout).toMatch(/model +middle 0\.\d+, sha256:/)
    const exported = await alis(['export', project, '--only', 'model'])
    expect(`${exported.code} ${exported.stderr}`).toContain(`2 alis: ${project}: must have a model of its own to export model`)
    expect(exported.stderr).toContain(join(project, 'scores'))
    expect((await alis(['export', project])).stdout).toContain('labels.csv')

    const copy = join(folder, 'copy.alis')
    await alis(['backup', project, copy])
    expect(await alis(['verify', certificate, '--project', copy])).toMatchObject({ code: 0 })
  }, 60_000)

  it('scores that were changed on disk are refused', async () => {
    const copy = join(folder, 'changed.alis')
    await alis(['backup', project, copy])
    const { models } = await recordOf(project)
    const scores = join(copy, 'scores')
    const kept = readdirSync(scores).filter((name) => name.endsWith('.json'))
    const fileOf = (id: string) =>
      join(scores, kept.find((name) => readFileSync(join(scores, name), 'utf8').includes(id))!.replace('.json', '.parquet'))
    const [older, newest] = [models[1]!.model.id, models.at(-1)!.model.id].map(fileOf)
    writeFileSync(newest!, readFileSync(older!))
    const { code, stderr } = await alis(['certify', copy, '--budget', '60'])
    expect(`${code} ${stderr}`).toMatch(/1 alis: .*: the scores of the model sha256:\w+… are required, got sha256:/)
  })

  it('the program must be named again, for what a project says is never run', async () => {
    const { code, stderr } = await alis(['run', pool, '--label', 'y', '--rounds', '9', '--project', project])
    expect(`${code} ${stderr}`).toContain(
      '2 alis: --learner-command: the program that fits the models of this project is required',
    )
  })
})
