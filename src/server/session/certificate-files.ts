import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Written {
  readonly seal: string
  readonly text: string
  readonly model: string
  /** For people. */
  readonly page?: string
}

/** The certificates of a project as files in it, where the command writes them too. By seal, the path of each. */
export async function certificateFiles(project: string, kept: readonly Written[]) {
  const folder = join(project, 'certificates')
  const files = new Map<string, string>()
  await mkdir(folder, { recursive: true })
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.json'))) {
    const text = await readFile(join(folder, name), 'utf8')
    const known = kept.find((certificate) => certificate.text === text)
    if (known) files.set(known.seal, join('certificates', name))
  }

  /** By its model; beside that, if another certificate of the same model is there. */
  async function write({ seal, text, model, page }: Written): Promise<void> {
    if (files.has(seal)) return
    const name = existsSync(join(folder, `${short(model)}.json`)) ? `${short(model)}-${short(seal)}` : short(model)
    await writeFile(join(folder, `${name}.json`), text)
    if (page !== undefined) await writeFile(join(folder, `${name}.html`), page)
    files.set(seal, join('certificates', `${name}.json`))
  }

  for (const certificate of kept) await write(certificate)
  return { write, pathOf: (seal: string) => files.get(seal)! }
}

const short = (hash: string) => hash.replace('sha256:', '').slice(0, 12)
