import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CertificateFile } from '../../protocol/certificate.ts'
import type { CertificateSummary } from '../../protocol/project.ts'
import type { Certificate } from '../../questions/certificate.ts'
import { isEarlier } from '../../questions/earlier.ts'
import { isRevised } from '../../questions/void.ts'
import type { GivenAnswer, Project } from '../../stores/project.ts'
import { shellWord } from '../../text/shell-word.ts'
import { bestView, questionView } from '../question-view.ts'
import type { AuditOutcome } from '../worker/worker-protocol.ts'
import type { SessionRecord } from './record.ts'

interface CertificateOptions {
  readonly project: Project
  /** The path of the project as it was given to the command. */
  readonly name: string
  readonly record: SessionRecord
  /** Path of the predictions, where these are what is measured. */
  readonly predictions?: string | undefined
}

export type Certificates = Awaited<ReturnType<typeof openCertificates>>

export async function openCertificates({ project, name, record, predictions }: CertificateOptions) {
  const onRecord = async () =>
    (await project.certificates()).map((kept) => ({ ...kept, certificate: JSON.parse(kept.text) as CertificateFile }))
  let all = await onRecord()
  let given = await project.answers()
  const files = await filesOf(all, join(project.path, 'certificates'))
  for (const { seal, text, certificate } of all) await files.write({ seal, text, model: certificate.model })

  function verifyCommand(seal: string): string {
    const about = predictions === undefined ? ['--project', name] : ['--pool', predictions]
    return ['alis', 'verify', join(name, 'certificates', files.nameOf(seal)), ...about].map(shellWord).join(' ')
  }

  return {
    /** What the newest certificate is about. */
    newestModel: () => all.at(-1)?.certificate.model,
    async keep(outcome: AuditOutcome): Promise<void> {
      await project.keepCertificate({ seal: outcome.seal, text: outcome.text })
      await files.write(outcome)
      all = await onRecord()
      given = await project.answers()
    },
    /** `models`: of the project, with the learning round that each was made after. */
    summaries: (models: readonly { readonly id: string; readonly round: number }[] = []): CertificateSummary[] =>
      all.map(({ certificate, time }) => {
        const { seal, model, metric, value, low, high, level, answers } = certificate
        const made = models.find(({ id }) => id === model)
        const about = { model, ...(made && { after: made.round + 1 }) }
        const shared = {
          seal,
          time,
          ...about,
          metric,
          value,
          low,
          high,
          level,
          answers,
          isRevised: isRevised(certificate, record.rounds),
        }
        if (isEarlier(certificate)) return { ...shared, isEarlier: true, questions: [] }
        const questions = certificate.questions.map(questionView)
        const best = certificate.best && { best: bestView(certificate.best) }
        const people = peopleIn(certificate, given)
        return { ...shared, isEarlier: false, questions, ...best, people, verify: verifyCommand(seal) }
      }),
  }
}

/** Who gave the answers that a certificate rests on, in alphabetical order. */
function peopleIn({ rounds }: Certificate, given: readonly GivenAnswer[]): CertificateSummary['people'] {
  const drawn = new Set(rounds.flatMap(({ round, draws }) => draws.map(({ id }) => `${round} ${id}`)))
  const standing = new Map(given.map((answer) => [`${answer.round} ${answer.id}`, answer]))
  const counts = new Map<string, number>()
  for (const [key, { kind, annotator }] of standing)
    if (drawn.has(key) && kind !== 'retraction') counts.set(annotator, (counts.get(annotator) ?? 0) + 1)
  return [...counts].map(([name, answers]) => ({ name, answers })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Certificates as files of a folder, where the command writes them too; by seal, the name of each. */
async function filesOf(known: readonly { readonly seal: string; readonly text: string }[], folder: string) {
  const names = new Map<string, string>()
  await mkdir(folder, { recursive: true })
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.json'))) {
    const text = await readFile(join(folder, name), 'utf8')
    const found = known.find((certificate) => certificate.text === text)
    if (found) names.set(found.seal, name)
  }
  return {
    nameOf: (seal: string) => names.get(seal)!,
    /** Named by its model; by its seal as well, if there is another certificate of this model. */
    async write({ seal, text, model, page }: Omit<AuditOutcome, 'page'> & { readonly page?: string }): Promise<void> {
      if (names.has(seal)) return
      const isTaken = existsSync(join(folder, `${short(model)}.json`))
      const name = isTaken ? `${short(model)}-${short(seal)}` : short(model)
      await writeFile(join(folder, `${name}.json`), text)
      if (page !== undefined) await writeFile(join(folder, `${name}.html`), page)
      names.set(seal, `${name}.json`)
    },
  }
}

const short = (hash: string) => hash.replace('sha256:', '').slice(0, 12)
