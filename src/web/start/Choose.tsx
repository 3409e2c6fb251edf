import { type FormEvent, useRef, useState } from 'react'
import type { Files } from '../../protocol/start.ts'
import { percentage } from '../../text/shares.ts'
import { counted, fileSize } from '../../text/wording.ts'
import { api, type Failure } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt, useLoaded } from '../api/use-requests.ts'
import { Range } from '../now/Range.tsx'
import { Button } from '../parts/Button.tsx'
import { Page } from '../parts/Card.tsx'
import { TextField } from '../parts/Field.tsx'
import { FailureNote, Meter } from '../parts/Note.tsx'
import { useAfter } from '../parts/use-timers.ts'
import { navigate } from '../shell/routes.tsx'
import { projectRange, startWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'
import { DropZone } from './DropZone.tsx'
import type { Found } from './index.tsx'
import { isPicture, packedPictures } from './packed-pictures.ts'
import { Samples } from './Samples.tsx'
import { lookAt, type Proposal } from './use-draft.ts'

interface Work {
  readonly words: string
  /** Missing where it cannot be known. */
  readonly share?: number
}

interface Props {
  onFound: (found: Found) => void
  /** A file that could not be read. */
  onUnread: (failure: Failure, path: string) => void
}

/** A file of this machine, by dropping, choosing, pasting, picking or typing; a sample; or a project to go on with. */
export function Choose({ onFound, onUnread }: Props) {
  // Where the folder cannot be read there is still a path to type: no failure is shown.
  const { value: files } = useLoaded(api.files)
  const [work, setWork] = useState<Work>()
  const stop = useRef<AbortController>(undefined)
  const { attempt, failure, isBusy } = useAttempt()

  /** One thing at a time, which can be cancelled: then nothing is said. */
  const doing = (task: (signal: AbortSignal) => Promise<void>) =>
    attempt(async () => {
      const controller = new AbortController()
      const { signal } = controller
      stop.current = controller
      try {
        await task(signal)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    })

  async function look(path: string, signal: AbortSignal, proposal?: Proposal) {
    setWork({ words: `Reading ${path}` })
    const found = await lookAt(path, signal).catch((error) => {
      if (!signal.aborted) onUnread(error, path)
      throw error
    })
    if (signal.aborted) return
    const does = found.inspection.recognised.isSure ? 'check' : 'learn'
    onFound({ look: found, does, ...(proposal && { proposal }) })
  }

  const read = (path: string) => doing((signal) => look(path, signal))

  const copy = (files: readonly File[]) =>
    doing(async (signal) => {
      const [first] = files
      const isOne = files.length === 1 && !isPicture(first!.name)
      setWork({ words: `Reading ${first!.name}` })
      const file = isOne ? first! : await packedPictures(files)
      const words = `Reading ${file.name}`
      setWork({ words })
      const { path } = await api.upload(file, (share) => setWork({ words, share }), signal)
      await look(path, signal)
    })

  const sample = (name: string) =>
    doing(async (signal) => {
      setWork({ words: 'Reading the sample' })
      const { path, ...proposal } = await api.sample(name)
      await look(path, signal, proposal)
    })

  const open = (project: string) =>
    doing(async () => {
      setWork({ words: `Opening ${project}` })
      await api.begin({ project })
      await refresh()
      navigate('/')
    })

  return (
    <Page className="start-page start-choose is-wide" title={startWords.title} lede={startWords.lede}>
      <DropZone onFiles={copy} isBusy={isBusy} />
      <div className="start-work" role="status">
        {isBusy && work && <Progress work={work} onCancel={() => stop.current?.abort()} />}
      </div>
      {failure && <FailureNote failure={failure} />}
      {files && files.projects.length > 0 && <Projects projects={files.projects} onOpen={open} isBusy={isBusy} />}
      <Samples onChoose={sample} isBusy={isBusy} />
      <details className="start-more">
        <summary>{parts.here}</summary>
        <div className="stack">
          <PathForm onPath={read} isBusy={isBusy} />
          {files && <FileList files={files} onChoose={read} />}
        </div>
      </details>
    </Page>
  )
}

/** Said once it takes longer than a moment. */
function Progress({ work: { words, share }, onCancel }: { work: Work; onCancel: () => void }) {
  const isSlow = useAfter(300)
  if (!isSlow) return null
  return (
    <>
      <div className="spread">
        <p className="small quiet">{share === undefined ? words : `${words}, ${percentage(share, 0)}`}</p>
        <Button kind="bare" onClick={onCancel}>
          {parts.cancel}
        </Button>
      </div>
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
        label={parts.path}
        placeholder="pools/messages.parquet"
        spellCheck={false}
        autoComplete="off"
        value={path}
        onChange={(event) => setPath(event.target.value)}
      />
      <Button type="submit" disabled={isBusy || path.trim() === ''}>
        {parts.read}
      </Button>
    </form>
  )
}

interface ProjectsProps {
  projects: Files['projects']
  onOpen: (path: string) => void
  isBusy: boolean
}

/** Projects, each with how often its model or predictions are wrong, as far as that is known. */
function Projects({ projects, onOpen, isBusy }: ProjectsProps) {
  return (
    <section className="start-files" aria-labelledby="start-projects">
      <h2 id="start-projects">{startWords.projects}</h2>
      <ul className="card lined">
        {projects.map(({ path, answers, error }) => (
          <li key={path}>
            <button type="button" className="spread row-button" disabled={isBusy} onClick={() => onOpen(path)}>
              <span>
                <b>{path.replace(/\.alis$/, '')}</b>
                <span className="small faint">
                  {answers === undefined ? startWords.large : counted(answers, 'answer')}
                  {error?.isCertified && parts.certified}
                </span>
              </span>
              {error && (
                <span className="start-range small quiet">
                  {projectRange(error)}
                  <Range look={error} />
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const atFirst = 6

function FileList({ files, onChoose }: { files: Files; onChoose: (path: string) => void }) {
  const [isWhole, setIsWhole] = useState(false)
  const { directory, pools } = files
  if (pools.length === 0) return null
  const shown = isWhole ? pools : pools.slice(0, atFirst)
  return (
    <section className="start-files" aria-labelledby="start-pools">
      <div className="spread start-files-head">
        <h3 id="start-pools">{parts.files}</h3>
        <p className="tiny faint mono">{directory}</p>
      </div>
      <ul className="card lined">
        {shown.map(({ path, bytes }) => (
          <li key={path}>
            <button type="button" className="spread row-button" onClick={() => onChoose(path)}>
              <span className="mono">{path}</span>
              <span className="small faint">{fileSize(bytes)}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < pools.length && (
        <Button kind="bare" onClick={() => setIsWhole(true)}>
          {parts.showAll(pools.length)}
        </Button>
      )}
    </section>
  )
}
