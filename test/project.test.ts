import { execFile, spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProject } from '../src/stores/sqlite.ts'
import { alis, jsonLines, main, type Outcome, root, type Surroundings } from './command.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-project-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A process of its own, to be stopped. */
const start = (args: readonly string[], watch: Required<Surroundings>['watch']) =>
  alis(args, { cwd: folder, env: { NO_COLOR: '' }, watch })
const run = (...args: string[]) => alisHere(args, { cwd: folder })
const json = ({ stdout }: Outcome) => jsonLines(stdout).at(-1)
const statusOf = async (project: string, ...options: string[]) => json(await run('status', project, '--json', ...options))

/** The rounds of a project, as they are on record. */
async function recordOf(project: string) {
  const opened = await openProject(join(folder, project), { mode: 'read' })
  const rounds = await opened.rounds()
  await opened.close()
  return rounds
}

/** Once `isTime`, and once only. */
function interruptWhen(isTime: (said: string) => boolean) {
  let isDone = false
  return (said: string, pid: number) => {
    if (isDone || !isTime(said)) return
    isDone = true
    process.kill(pid, 'SIGINT')
  }
}

const timesIn = (said: string, what: string) => said.split(what).length - 1
const learning = ['run', 'digits.csv', '--label', 'digit', '--positive', '3', '--seed', '7', '--rounds', '8', '--json']

/** Takes its time to answer, and says on stderr that it did. Every seventh it cannot tell. */
const oracle = `
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, fields } = JSON.parse(line)
  await setTimeout(Number(process.argv[2]))
  const number = Number(id.slice(1))
  console.log(JSON.stringify({ id, label: number % 7 === 0 ? null : Number(fields.p36) > 8 ? 'dark' : 'light' }))
  if (Number(process.argv[2]) > 0) console.error('answered')
}
`
const asking = (project: string, pause: number) =>
  ['run', 'shades.csv', '--classes', 'light,dark', '--seed', '7', '--start', '10', '--batch', '10', '--rounds', '5'].concat([
    '--oracle-command',
    `node slow.mjs ${pause}`,
    '--project',
    project,
  ])

beforeAll(() => {
  copyFileSync(join(root, 'data/digits.csv'), join(folder, 'digits.csv'))
  copyFileSync(join(root, 'data/digits.csv'), join(folder, 'shades.csv'))
  writeFileSync(join(folder, 'slow.mjs'), oracle)
})

describe('alis status', () => {
  beforeAll(async () => {
    expect((await run(...learning, '--project', 'known.alis')).code).toBe(0)
  })

  it('says where a project stands, in one line for programs', async () => {
    const rounds = await recordOf('known.alis')
    const positives = rounds.flatMap(({ answers }) => [...answers.values()]).filter((label) => label === '3').length
    expect(await statusOf('known.alis')).toEqual({
      type: 'result',
      project: join(folder, 'known.alis'),
      pool: { path: join(folder, 'digits.csv'), hash: expect.stringMatching(/^sha256:/), file: 'there', points: 1797 },
      classes: ['not 3', '3'],
      strategy: 'alis',
      know: 0.2,
      seed: 7,
      seedChosen: true,
      rounds: 9,
      answers: 90,
      labels: { 'not 3': 90 - positives, 3: positives },
      cannotTell: 0,
      waiting: 0,
      model: expect.stringMatching(/^sha256:/),
      certificates: 0,
      void: 0,
      certified: null,
      bytes: expect.any(Number),
      last: { kind: 'answer', time: expect.stringMatching(/^20.*Z$/) },
      now: { value: expect.any(Number), low: expect.any(Number), high: expect.any(Number), level: 0.95, answers: 90 },
    })
  })

  it('says how good the model is now off the record, until an answer is revised: then off the pool, if it is asked to', async () => {
    const path = join(folder, 'revised.alis')
    cpSync(join(folder, 'known.alis'), path, { recursive: true })
    const { now } = await statusOf('revised.alis')
    expect((await statusOf('revised.alis', '--now')).now).toEqual(now)
    const project = await openProject(path)
    const [id, label] = [...(await project.rounds())[5]!.answers][0]!
    await project.revise(5, id, label === '3' ? 'not 3' : '3')
    await project.close()
    expect(await statusOf('revised.alis')).toMatchObject({ now: null, noNow: 'revised' })
    const { stdout } = await run('status', 'revised.alis')
    expect(stdout).toContain('right now     answers were revised since it was last looked at (--now reads the pool)')
    const { noNow, now: again } = await statusOf('revised.alis', '--now')
    expect([noNow, again.answers]).toEqual([undefined, 90])
    expect((await run('status', 'revised.alis', '--now')).stdout).toMatch(
      /right now {5}wrong on about .* too early for a guarantee/,
    )
  })

  it('shows people a block with a bar for each class', async () => {
    const { code, stdout } = await run('status', 'known.alis')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^known\.alis\n/)
    expect(stdout).toContain('1,797 points\n')
    expect(stdout).toContain('digits.csv, still there')
    expect(stdout).toContain('alis, seed 7 (chosen)')
    expect(stdout).toContain('9 closed, 90 answers')
    expect(stdout).toMatch(/\n {2}not 3 {9}━{20} {2}\d+\n {2}3 {13}━+╌+ {2}\d+\n$/)
  })

  it('knows an audit too', async () => {
    const rows = Array.from(
      { length: 300 },
      (_, i) => `n${i},${i % 2 ? 'cat' : 'dog'},${i % 7 ? 0.9 : 0.6},${i % 3 ? 'cat' : 'dog'}`,
    )
    writeFileSync(join(folder, 'guesses.csv'), ['id,guess,p,y', ...rows, ''].join('\n'))
    const goal = ['--budget', '100', '--seed', '3', '--project', 'audit.alis']
    const outcome = await run('audit', 'guesses.csv', '--prediction', 'guess', '--confidence', 'p', '--truth', 'y', ...goal)
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    const { labels, ...rest } = await statusOf('audit.alis')
    expect(rest).toMatchObject({ pool: { points: 300 }, classes: ['cat', 'dog'], strategy: 'alis-audit', seed: 3, rounds: 2 })
    expect(rest).toMatchObject({ answers: 100, certificates: 1, model: expect.stringMatching(/^sha256:/) })
    expect(labels.cat + labels.dog).toBe(100)
    expect((await run('status', 'audit.alis')).stdout).toContain('2 closed, 100 answers')
  })

  it('says that a seed was fresh', async () => {
    const fresh = learning.filter((arg) => arg !== '--seed' && arg !== '7')
    await run(...fresh, '--project', 'fresh.alis')
    expect((await statusOf('fresh.alis')).seedChosen).toBe(false)
    expect((await run('status', 'fresh.alis')).stdout).toContain('(fresh)')
  })

  it.each([
    ['no project there', 'nowhere.alis', 2, 'project: a project is required'],
    ['a file', 'digits.csv', 2, 'project: a name that ends in .alis is required, got digits.csv'],
  ])('refuses %s', async (_, path, exit, message) => {
    const { code, stderr } = await run('status', path)
    expect(stderr).toContain(message)
    expect(code).toBe(exit)
  })
})

describe("a share of one's own", () => {
  const wanting = (...args: string[]) => run(...learning, ...args, '--project', 'share.alis')
  const first = ['--rounds', '2', '--know', '0.3']

  it('is on record, gone on with as it was, and not what others draw by', async () => {
    expect((await wanting(...first)).code).toBe(0)
    expect((await statusOf('share.alis')).know).toBe(0.3)
    expect((await run('status', 'share.alis')).stdout).toContain('alis, know 0.3, seed 7 (chosen)')
    expect((await wanting('--rounds', '4')).code).toBe(0)
    await run(...learning, '--know', '0.3', '--rounds', '4', '--project', 'at-once.alis')
    await run(...learning, '--rounds', '4', '--project', 'usual.alis')
    const drawsIn = async (project: string) => (await recordOf(project)).map(({ draws }) => draws)
    expect(await drawsIn('share.alis')).toEqual(await drawsIn('at-once.alis'))
    expect(await drawsIn('share.alis')).not.toEqual(await drawsIn('usual.alis'))
  })

  it('is not changed on the way', async () => {
    const { code, stderr } = await wanting('--rounds', '6', '--know', '0.5')
    expect(code).toBe(2)
    expect(stderr).toContain(`--know: 0.3 is required, as ${join(folder, 'share.alis')} began with it, got 0.5`)
    expect((await wanting('--rounds', '5', '--know', '0.3')).code).toBe(0)
    const label = await run('label', '--project', 'share.alis', '--know', '0.2', '--no-open')
    expect(label.code).toBe(2)
    expect(label.stderr).toContain('--know: 0.3 is required, as share.alis began with it, got 0.2')
    await run(...learning, '--rounds', '1', '--strategy', 'uniform', '--project', 'plain.alis')
    const plain = await run(...learning, '--know', '0.3', '--project', 'plain.alis')
    expect(plain.stderr).toContain('--know: none is required')
    expect(plain.stderr).toContain('began with it, got 0.3')
  })

  it('is drawn by where the pool lies, with the same draws', async () => {
    const drawn = async (...engine: string[]) => {
      const { stdout, code, stderr } = await run(...learning, ...first, ...engine)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return jsonLines(stdout).flatMap((line) => (line.type === 'round' ? [line.draws.map(({ id }: { id: string }) => id)] : []))
    }
    expect(await drawn('--engine', 'duckdb')).toEqual(await drawn('--engine', 'memory'))
  })
})

describe('a pool file that changed', () => {
  const again = ['run', 'pool.csv', ...learning.slice(2), '--project', 'changed.alis']

  it('is refused, told by --check, and welcome again as it was: nothing is lost', async () => {
    const file = join(folder, 'pool.csv')
    copyFileSync(join(root, 'data/digits.csv'), file)
    await run(...again)
    const [before, rounds] = [await statusOf('changed.alis', '--check'), await recordOf('changed.alis')]
    expect(before.pool.file).toBe('unchanged')

    appendFileSync(file, readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)!.replace(/^\w+/, 'd9999'))
    const { code, stderr } = await run(...again.with(again.indexOf('8'), '10'))
    expect(stderr).toContain('the pool must be as it was when the project began')
    expect(code).toBe(2)
    expect((await statusOf('changed.alis')).pool.file).toBe('there') // a look at its name does not tell
    expect((await statusOf('changed.alis', '--check')).pool.file).toBe('changed')
    expect(await recordOf('changed.alis')).toEqual(rounds)

    rmSync(file)
    expect((await statusOf('changed.alis')).pool.file).toBe('missing')
    writeFileSync(file, '')
    expect((await statusOf('changed.alis')).pool.file).toBe('changed')

    copyFileSync(join(root, 'data/digits.csv'), file)
    expect(json(await run(...again.with(again.indexOf('8'), '10')))).toMatchObject({ type: 'result', labels: 110 })
    expect((await recordOf('changed.alis')).slice(0, 9)).toEqual(rounds)
  })
})

describe('Ctrl-C', () => {
  /** What two runs of the same plan must agree on. */
  const essence = async (project: string) => {
    const { project: _, bytes: __, last: ___, ...rest } = await statusOf(project)
    return { ...rest, record: await recordOf(project) }
  }

  it('between rounds keeps everything, says how to go on, and the end is the same', async () => {
    await run(...learning, '--project', 'calm.alis')
    const args = [...learning, '--project', 'stopped.alis']
    const { code, stderr } = await start(
      args,
      interruptWhen((said) => timesIn(said, '"type":"round"') >= 3),
    )
    expect(code).toBe(130)
    expect(stderr).toContain(`every answer so far is kept, and this continues:\n  alis ${args.join(' ')}\n`)
    const { rounds } = await statusOf('stopped.alis')
    expect(rounds).toBeGreaterThanOrEqual(3)
    expect(rounds).toBeLessThan(9) // or it was not stopped at all

    expect((await run(...args)).code).toBe(0)
    expect(await essence('stopped.alis')).toEqual(await essence('calm.alis'))
  })

  it('within a round keeps every answer, and the end is the same', async () => {
    await run(...asking('patient.alis', 0))
    const args = asking('hasty.alis', 20)
    const { code, stderr } = await start(
      args,
      interruptWhen((said) => timesIn(said, 'answered') >= 14),
    )
    expect(code).toBe(130)
    expect(stderr).toContain(`alis ${args.join(' ').replace('node slow.mjs 20', "'node slow.mjs 20'")}\n`) // ready to be pasted
    const { answers, waiting, cannotTell, labels } = await statusOf('hasty.alis')
    expect(answers).toBeGreaterThanOrEqual(13) // the last one may have been on its way
    expect(answers + waiting).toBe(20)
    expect(labels.light + labels.dark + cannotTell).toBe(answers)

    expect((await run(...asking('hasty.alis', 0))).code).toBe(0)
    expect(await essence('hasty.alis')).toEqual(await essence('patient.alis'))
    expect((await statusOf('hasty.alis')).cannotTell).toBeGreaterThan(0)
  })

  it('without a project promises nothing', async () => {
    const { code, stderr } = await start(
      learning,
      interruptWhen((said) => said.includes('"type":"round"')),
    )
    expect({ code, stderr }).toEqual({ code: 130, stderr: '\nstopped\n' })
  })
})

describe('beside a run', () => {
  it('nobody else writes, and everybody may look and copy', async () => {
    let pid = 0
    const isUnderWay = Promise.withResolvers<void>()
    const first = start(asking('busy.alis', 300), (said, child) => {
      pid = child
      if (said.includes('answered')) isUnderWay.resolve()
    })
    await Promise.race([isUnderWay.promise, first])
    const second = await run(...asking('busy.alis', 0))
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`one process may write at a time, got process ${pid} at work`)

    const seen = await statusOf('busy.alis')
    expect(seen.answers + seen.waiting).toBeGreaterThan(0)
    const copied = await run('backup', 'busy.alis', 'copy.alis', '--json')
    expect(json(copied)).toMatchObject({ type: 'result', copy: join(folder, 'copy.alis') })
    process.kill(pid, 'SIGINT')
    expect((await first).code).toBe(130)

    const [original, copy] = [await recordOf('busy.alis'), await recordOf('copy.alis')]
    for (const [k, { draws }] of copy.entries()) expect(draws).toEqual(original[k]!.draws)
    const [more, fewer] = [original, copy].map((rounds) => rounds.flatMap(({ answers }) => [...answers]))
    expect(fewer!.length).toBeGreaterThanOrEqual(seen.answers)
    expect(more!.slice(0, fewer!.length)).toEqual(fewer)

    // The copy is a project like any other: both end alike.
    for (const project of ['busy.alis', 'copy.alis']) expect((await run(...asking(project, 0))).code).toBe(0)
    expect(await recordOf('copy.alis')).toEqual(await recordOf('busy.alis'))
  })

  it('a copy does not take the place of another', async () => {
    const before = await recordOf('copy.alis')
    const { code, stderr } = await run('backup', 'known.alis', 'copy.alis')
    expect(stderr).toContain('a name that is not taken is required')
    expect(code).toBe(2)
    expect(await recordOf('copy.alis')).toEqual(before)
  })

  it('people are told where the copy is and how to look at it', async () => {
    const { code, stdout } = await run('backup', 'known.alis', 'other.alis')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^other\.alis: [\d.]+ kB, as known\.alis stood\.\nLook at it: {2}alis status other\.alis\n$/)
  })
})

describe('alis completion', () => {
  beforeAll(async () => {
    writeFileSync(join(folder, 'completion.bash'), (await run('completion', 'bash')).stdout)
  })

  /** What bash offers after these words, the last one unfinished. */
  const offered = (...words: string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const script = [
        `source ${join(folder, 'completion.bash')}`,
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _alis',
        `printf "%s\\n" "\${COMPREPLY[@]}"; complete -p alis`,
      ]
      execFile('bash', ['-uc', script.join('\n'), 'bash', ...words], (error, stdout) => {
        if (error) return reject(error)
        const [registered, ...replies] = stdout.trimEnd().split('\n').reverse()
        expect(registered).toBe('complete -o default -F _alis alis')
        resolve(replies.reverse().filter((reply) => reply !== ''))
      })
    })

  it.each<[string, string[], string[]]>([
    ['a command', ['alis', 'st'], ['status']],
    ['an option', ['alis', 'run', 'digits.csv', '--oracle-u'], ['--oracle-url']],
    ['an option of that command only', ['alis', 'status', '--c'], ['--check']],
    ['a choice', ['alis', 'run', '--strategy', 'paper-'], ['paper-replacement', 'paper-all']],
    ['a choice after =, which bash takes for a word', ['alis', 'run', '--strategy', '=', 'uni'], ['uniform']],
    ['all choices after =', ['alis', 'run', '--loss', '='], ['logistic', 'squared', 'squared-hinge', 'hinge', 'exponential']],
    ['the argument of completion', ['alis', 'completion', ''], ['bash', 'zsh', 'fish']],
    ['a column, which it cannot know, by files', ['alis', 'run', '--label', ''], []],
    ['a file, by files', ['alis', 'run', ''], []],
    ['nothing of an unknown command', ['alis', 'rum', '--l'], []],
  ])('offers %s', async (_, words, replies) => {
    expect(await offered(...words)).toEqual(replies)
  })

  it.each(['zsh', 'fish'])('writes a script that %s can read', async (shell) => {
    const { code, stdout } = await run('completion', shell)
    expect(code).toBe(0)
    for (const word of ['status', 'strategy', 'paper-replacement', 'oracle-url']) expect(stdout).toContain(word)
    const hasShell = spawnSync(shell, ['--version']).status === 0 // few machines have all three
    if (hasShell)
      expect(spawnSync(shell, ['--no-execute'], { input: stdout, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  it('refuses a shell it does not know', async () => {
    const { code, stderr } = await run('completion', 'tcsh')
    expect(stderr).toContain('<shell>: one of bash, zsh, fish is required, got "tcsh"')
    expect(code).toBe(2)
  })
})

describe('manners', () => {
  it('--quiet leaves the result, in one line', async () => {
    const args = learning.with(-1, '--quiet')
    expect(await run(...args)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^90 labels, model sha256:\w+, wrong on about \d+ % of the .+ points .+\n$/),
    })
    const tested = await run(...args, '--test', '0.3')
    expect(tested.stdout).toMatch(/^90 labels, test error \d+\.\d %, model sha256:\w+, wrong on about \d+ % of the .+\n$/)
  })

  it('--quiet leaves the claim of an audit', async () => {
    const columns = ['--prediction', 'guess', '--confidence', 'p', '--truth', 'y', '--budget', '100', '--quiet']
    const { code, stdout, stderr } = await run('audit', 'guesses.csv', ...columns)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^With 95 % confidence, between .* of the 300 predictions are wrong\. .*\n$/)
  })

  it('a run with nothing left to do says what is on record', async () => {
    const { labels, model } = json(await run(...learning, '--project', 'known.alis'))
    expect({ labels, model }).toEqual({ labels: 90, model: (await statusOf('known.alis')).model })
    const { code, stdout } = await run(...learning.slice(0, -1), '--project', 'known.alis')
    expect(stdout).toMatch(/^Nothing is left to do: 90 labels are on record\.\nRight now the model is wrong on about /m)
    expect(stdout).toContain(`\nModel ${model}\n`)
    expect(code).toBe(0)
  })

  it.each([
    [
      'an option',
      ['run', 'digits.csv', '--lable', 'digit'],
      '--lable: must be an option of this command',
      'Did you mean --label?',
    ],
    ['a command', ['stauts', 'known.alis'], 'stauts: must be a command', 'Did you mean status?'],
    ['a column', ['run', 'digits.csv', '--label', 'digti'], 'got "digti"', 'Did you mean "digit"?'],
    ['a column among others', ['run', 'digits.csv', '--label', 'digit', '--ignore', 'p01,P2'], 'got "P2"', 'Did you mean "p'],
  ])('a typo in %s gets a suggestion', async (_, args, message, hint) => {
    const { code, stderr } = await run(...args)
    expect(stderr).toContain(message)
    expect(stderr).toContain(hint)
    expect(code).toBe(2)
  })

  it('a typo in the answer of a program gets a suggestion, and no guess', async () => {
    writeFileSync(join(folder, 'sloppy.mjs'), oracle.replace("'light'", "'Light'"))
    const { code, stderr } = await run(...asking('sloppy.alis', 0).map((arg) => arg.replace('slow.mjs', 'sloppy.mjs')))
    expect(stderr).toContain('a label must be one of "light", "dark", got "Light"')
    expect(stderr).toContain('Did you mean "light"?')
    expect(code).toBe(1)
  })

  it('every command teaches by examples', async () => {
    const { stdout } = await run('--help')
    const listed = stdout.slice(stdout.indexOf('Commands:'), stdout.indexOf('Examples:'))
    const commands = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!).filter((name) => name !== 'help')
    expect(commands).toEqual(expect.arrayContaining(['run', 'audit', 'verify', 'status', 'backup', 'demo', 'completion']))
    for (const command of commands) {
      const help = await run(command, '--help')
      expect(help.code).toBe(0)
      expect(help.stdout, command).toMatch(/^Examples?[:,]/m)
      expect(help.stdout, command).toMatch(new RegExp(`\\$ .*alis ${command}`))
    }
  })

  it('alone, it helps', async () => {
    const [alone, asked] = [await run(), await run('--help')]
    expect(alone).toEqual(asked)
    expect(alone.code).toBe(0)
  })

  it('colours are for terminals, and NO_COLOR turns them off', () => {
    const atTerminal = (NO_COLOR: string) =>
      spawnSync('script', ['-qec', `${process.execPath} ${main} status known.alis`, '/dev/null'], {
        cwd: folder,
        env: { ...process.env, TERM: 'xterm', NO_COLOR },
        encoding: 'utf8',
      }).stdout
    expect(atTerminal('')).toContain('\u001b[1mknown.alis\u001b[22m')
    expect(atTerminal('1')).toMatch(/^known\.alis\r?\n/)
    expect(atTerminal('1')).not.toContain('\u001b[')
  })
})
