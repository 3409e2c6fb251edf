import { AlisError } from '../../core/errors.ts'
import { type GivenFile, type Verdict, verdictOn } from './verdict.ts'

const part = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

const given: { certificate?: GivenFile; pool?: GivenFile } = {}
let asked = 0

/** Takes files from wherever they came: a certificate is JSON, all else the predictions. */
async function take(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    const kind = file.name.toLowerCase().endsWith('.json') ? 'certificate' : 'pool'
    given[kind] = { name: file.name, text: await file.text() }
    part(`${kind}-name`).textContent = file.name
  }
  const { certificate, pool } = given
  if (!certificate || !pool) return say('waiting', certificate ? 'Now the predictions.' : 'Now the certificate.')
  const turn = ++asked
  say('waiting', 'Doing the audit again …')
  await new Promise((resolve) => setTimeout(resolve, 30)) // until that is on the screen
  const began = performance.now()
  const verdict = await verdictOn(certificate, pool).catch((error: unknown) => error)
  if (turn !== asked) return
  if (verdict instanceof Error) sayError(verdict)
  else sayVerdict(verdict as Verdict, (performance.now() - began) / 1000)
}

function say(
  state: 'waiting' | 'verified' | 'refused',
  title: string,
  words = '',
  { claims = [], facts = [] }: Partial<Verdict> = {},
) {
  const verdict = part('verdict')
  verdict.dataset.state = state
  part('title').textContent = title
  part('words').textContent = words
  part('claims').replaceChildren(...claims.map((claim) => element('li', claim)))
  part('facts').replaceChildren(...facts.flatMap(([name, text]) => [element('dt', name), element('dd', text)]))
}

function sayVerdict(verdict: Verdict, seconds: number): void {
  const { fault, facts } = verdict
  const words = `Every rule, draw, probability and limit follows from the predictions, the seed and the answers. Done again in ${seconds.toFixed(1)} seconds.`
  if (fault === undefined) say('verified', 'Verified', words, verdict)
  else say('refused', 'Not verified', `The first difference: ${fault}`, { facts })
}

function sayError(error: Error): void {
  const hint = error instanceof AlisError && error.hint ? ` ${error.hint}` : ''
  say('refused', 'Not verified', `${error.message}.${hint}`)
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}

const files = part<HTMLInputElement>('files')
files.addEventListener('change', () => void take(files.files ?? []))
document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', (event) => {
  event.preventDefault()
  void take(event.dataTransfer?.files ?? [])
})
