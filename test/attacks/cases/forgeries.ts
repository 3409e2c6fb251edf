import { generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { identityOf } from '../../../src/core/hash.ts'
import { keyOf } from '../../../src/core/public-key.ts'
import { type Signer, signed } from '../../../src/questions/signature.ts'
import { linkAll } from '../../../src/stores/sqlite-chain.ts'
import { alisHere } from '../../in-process.ts'
import { type Attack, attempt, type Ground, type Try } from '../attack.ts'
import { type Chances, chances, type Json, leavesOf, other, setAt, valueAt } from '../forging.ts'
import { columns, predictionsFile } from '../predictions.ts'

type Draft = { [key: string]: Json }

/** An honest certificate, the project that it was made on, and one of other draws, of a project that is not shown. */
async function honestIn(folder: string) {
  const pool = predictionsFile(folder, 150)
  const audited = async (name: string) => {
    const [project, file] = [join(folder, `${name}.alis`), join(folder, `${name}.json`)]
    const goals = ['--metric', 'error,recall:dog', '--budget', '60', '--batch', '20', '--quiet']
    await alisHere(['audit', pool, ...columns, ...goals, '--project', project, '--certificate', file])
    return { project, file, text: readFileSync(file, 'utf8') }
  }
  const own = await audited('own')
  const elsewhere = await audited('elsewhere')
  const { key } = (JSON.parse(own.text) as { signature: { key: string } }).signature
  return { pool, ...own, redrawn: elsewhere.text, key }
}

type Honest = Awaited<ReturnType<typeof honestIn>>

const said = (args: readonly string[]) => alisHere(args).then(({ stdout, stderr }) => stderr || stdout)

/** What must be said: where, what is required, and what is there. */
const named =
  /(certificate|conduct|record|project\.sqlite|forged\.json|versions?|signature|question|answers?|\w+): .*(, got |must|required)/

/** Somebody with a key of their own. */
function stranger(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x } = publicKey.export({ format: 'jwk' })
  const key = keyOf(Buffer.from(x!, 'base64url'))
  return { by: 'Ada', key, sign: (text) => sign(null, Buffer.from(text), privateKey).toString('hex') }
}

const drawsIn = (draft: Draft, { pick }: Chances) => (pick(draft.rounds as Draft[]) as { draws: Draft[] }).draws

/** What is done to a certificate, before it is sealed. */
const changes: Readonly<Record<string, (draft: Draft, random: Chances) => void>> = {
  dropped: (draft, random) => {
    const draws = drawsIn(draft, random)
    draws.splice(random.below(draws.length), 1)
  },
  added: (draft, random) => {
    const draws = drawsIn(draft, random)
    const draw = structuredClone(random.pick(draws))
    draws.splice(random.below(draws.length), 0, { ...draw, id: random.next() < 0.5 ? draw.id! : `n${random.below(150)}` })
  },
  reordered: (draft, random) => {
    const draws = drawsIn(draft, random)
    const k = random.below(draws.length - 1)
    draws.splice(k, 2, draws[k + 1]!, draws[k]!)
  },
  edited: (draft, random) => {
    const paths = leavesOf(draft).filter((path) => path.join('.') !== 'versions.alis') // which is said by whoever writes it
    const path = random.pick(paths)
    setAt(draft, path, other(valueAt(draft, path), random))
  },
  answered: (draft, random) => {
    const draw = random.pick(drawsIn(draft, random))
    draw.answer = draw.answer === 'cat' ? 'owl' : 'cat'
  },
}

async function forgeCertificate(honest: Honest, folder: string, random: Chances): Promise<Try> {
  const forged = join(folder, 'forged.json')
  const kind = random.pick([...Object.keys(changes), 're-drawn', 're-signed'])
  const { seal, signature, ...draft } = JSON.parse(kind === 're-drawn' ? honest.redrawn : honest.text) as Draft
  changes[kind]?.(draft, random)
  const sealing = kind === 're-signed' ? 'signed by another' : random.pick(['as it was', 'sealed anew', 'signed by another'])
  const own = { ...draft, seal: sealing === 'as it was' && kind !== 're-drawn' ? (seal as string) : identityOf(draft) }
  const whole =
    sealing === 'signed by another' ? signed(own, stranger()) : { ...own, ...(sealing === 'as it was' && { signature }) }
  writeFileSync(forged, `${JSON.stringify(whole, null, 2)}\n`)
  const by = kind === 're-signed' ? ['--signed-by', honest.key] : []
  return attempt(`${kind}, ${sealing}`, () => said(['verify', forged, '--project', honest.project, ...by]), named)
}

/** What is done to a record, by a program that knows no triggers. */
const statements: Readonly<Record<string, (random: Chances) => string>> = {
  'an answer dropped': ({ below }) => `DELETE FROM answers WHERE seq = ${1 + below(60)}`,
  'an answer added': ({ below }) =>
    `INSERT INTO answers (round, id, label, annotator, time, kind) SELECT round, id, 'owl', annotator, time, kind FROM answers WHERE seq = ${1 + below(60)}`,
  'answers reordered': ({ below }) => {
    const k = 1 + below(59)
    return `UPDATE answers SET seq = -1 WHERE seq = ${k}; UPDATE answers SET seq = ${k} WHERE seq = ${k + 1}; UPDATE answers SET seq = ${k + 1} WHERE seq = -1`
  },
  'an answer edited': ({ below }) =>
    `UPDATE answers SET label = CASE label WHEN 'cat' THEN 'owl' ELSE 'cat' END WHERE seq = ${1 + below(60)}`,
  'somebody else answered': ({ below }) => `UPDATE answers SET annotator = 'Ada' WHERE seq = ${1 + below(60)}`,
  'an answer given earlier': ({ below }) => `UPDATE answers SET time = '2020-01-01T00:00:00.000Z' WHERE seq = ${1 + below(60)}`,
  're-drawn': ({ below }) => `UPDATE draws SET id = 'n' || ${below(150)} || 'x' WHERE round = 0 AND position = ${below(20)}`,
  'a probability edited': ({ below }) =>
    `UPDATE draws SET probability = probability * 2 WHERE round = 0 AND position = ${below(20)}`,
  'the audits before forgotten': () => "DELETE FROM events WHERE kind = 'audit'",
}

async function forgeRecord({ project, file }: Honest, folder: string, random: Chances): Promise<Try> {
  const copy = join(folder, 'copy.alis')
  rmSync(copy, { recursive: true, force: true })
  cpSync(project, copy, { recursive: true })
  const kind = random.pick(Object.keys(statements))
  const isLinked = random.next() < 0.5
  const sqlite = new Database(join(copy, 'project.sqlite'))
  sqlite.pragma('synchronous = OFF')
  const triggers = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as Record<string, string>[]
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`)
  sqlite.exec(statements[kind]!(random))
  if (isLinked) sqlite.exec('DELETE FROM chain')
  if (isLinked) linkAll(sqlite)
  for (const trigger of triggers) sqlite.exec(trigger.sql!)
  sqlite.close()
  const what = `${kind}${isLinked ? ', and the chain made anew' : ''}`
  return attempt(what, () => said(['verify', file, '--project', copy]), named)
}

const forging = (
  name: string,
  times: number,
  forge: (honest: Honest, folder: string, random: Chances) => Promise<Try>,
): Attack => ({
  name,
  async attack({ folder, isThorough, seed }: Ground) {
    const honest = await honestIn(folder)
    const random = chances(seed, name)
    const accepted = [
      await attempt('the honest one', () => said(['verify', honest.file, '--project', honest.project]), /^Verified/),
      await attempt(
        'the honest one, by its key',
        () => said(['verify', honest.file, '--pool', honest.pool, '--signed-by', honest.key]),
        /^Verified/,
      ),
    ]
    const tries: Try[] = []
    for (let k = 0; k < (isThorough ? times : 12); k++) tries.push(await forge(honest, folder, random))
    return [...accepted, ...tries]
  },
})

export const attacks = [
  forging(
    'a certificate is forged: draws dropped, added, reordered, edited, drawn anew, sealed or signed by another',
    700,
    forgeCertificate,
  ),
  forging('a record is forged: answers dropped, added, reordered, edited, the chain left or made anew', 300, forgeRecord),
]
