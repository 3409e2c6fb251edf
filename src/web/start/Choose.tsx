import { type FormEvent, useId, useState } from 'react'
import { percentage } from '../../text/shares.ts'
import { count, counted, fileSize } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt, useLoaded } from '../api/use-requests.ts'
import { Button } from '../parts/Button.tsx'
import { Page } from '../parts/Card.tsx'
import { TextField } from '../parts/Field.tsx'
import { FailureNote, Meter } from '../parts/Note.tsx'
import { navigate } from '../shell/routes.tsx'
import { DropZone } from './DropZone.tsx'
import { type FileInspection, lookAt } from './use-draft.ts'

interface Work {
  readonly words: string
  /** Missing where it cannot be known. */
  readonly share?: number
}

/** A file of this machine, by dropping, choosing, picking or typing; or a project to go on with. */
export function Choose({ onUnderstood }: { onUnderstood: (look: FileInspection) => void }) {
  // Where the folder cannot be read there is still a path to type: no failure is shown.
  const { value: files } = useLoaded(api.files)
  const [work, setWork] = useState<Work>()
  const { attempt, failure, isBusy } = useAttempt()

  async function look(path: string) {
    setWork({ words: `Reading ${path}` })
    onUnderstood(await lookAt(path))
  }

  const read = (path: string) => attempt(() => look(path))

  const copy = (file: File) =>
    attempt(async () => {
      const words = `Copying ${file.name}`
      setWork({ words })
      const { path } = await api.upload(file, (share) => setWork({ words, share }))
      await look(path)
    })

  const open = (project: string) =>
    attempt(async () => {
      setWork({ words: `Opening ${project}` })
      await api.begin({ project })
      await refresh()
      navigate('/label')
    })

  return (
    <Page
      className="start-page start-choose"
      title="Label less, and know how good it is."
      lede="Give ALIS a pool of unlabelled things. It draws what to label, learns from your answers, and says how wrong the result is over the whole pool."
    >
      <DropZone onFile={copy} isBusy={isBusy} />
      <div className="start-work" role="status">
        {isBusy && work && <Progress {...work} />}
      </div>
      {failure && <FailureNote failure={failure} />}
      <PathForm onPath={read} isBusy={isBusy} />
      {files && (
        <>
          <FileList
            title="Projects to go on with"
            items={files.projects.map((project) => ({ path: project.path, about: counted(project.answers, 'answer') }))}
            onChoose={open}
          />
          <FileList
            title="Files in this folder"
            note={files.directory}
            items={files.pools.map((pool) => ({ path: pool.path, about: fileSize(pool.bytes) }))}
            onChoose={read}
          />
        </>
      )}
      <p className="quiet">
        No file at hand? <code className="mono">alis demo</code> opens the built-in pool of 1,797 handwritten digits.
      </p>
    </Page>
  )
}

function Progress({ words, share }: Work) {
  return (
    <>
      <p className="small quiet">{share === undefined ? words : `${words}, ${percentage(share, 0)}`}</p>
      {share !== undefined && <Meter label={words} share={share} />}
    </>
  )
}

function PathForm({ onPath, isBusy }: { onPath: (path: string) => void; isBusy: boolean }) {
  const [path, setPath] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (path.trim() !== '') onPath(path.trim())
  }
  return (
    <form className="stack start-path" onSubmit={submit}>
      <TextField
        label="Or the path of a file in this folder"
        placeholder="pools/messages.parquet"
        spellCheck={false}
        autoComplete="off"
        value={path}
        onChange={(event) => setPath(event.target.value)}
      />
      <Button type="submit" disabled={isBusy || path.trim() === ''}>
        Read it
      </Button>
    </form>
  )
}

interface Props {
  title: string
  note?: string
  items: readonly { readonly path: string; readonly about: string }[]
  onChoose: (path: string) => void
}

const atFirst = 6

function FileList({ title, note, items, onChoose }: Props) {
  const [isWhole, setIsWhole] = useState(false)
  const id = useId()
  if (items.length === 0) return null
  const shown = isWhole ? items : items.slice(0, atFirst)
  return (
    <section className="start-files" aria-labelledby={id}>
      <div className="spread start-files-head">
        <h2 id={id}>{title}</h2>
        {note && <p className="tiny faint mono">{note}</p>}
      </div>
      <ul className="card lined">
        {shown.map(({ path, about }) => (
          <li key={path}>
            <button type="button" className="spread row-button" onClick={() => onChoose(path)}>
              <span className="mono">{path}</span>
              <span className="small faint">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < items.length && (
        <Button kind="bare" onClick={() => setIsWhole(true)}>
          Show all {count(items.length)}
        </Button>
      )}
    </section>
  )
}
