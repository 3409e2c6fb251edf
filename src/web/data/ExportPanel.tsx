import { useState } from 'react'
import type { Exported, ModelChoice } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { shellWord } from '../../text/shell-word.ts'
import { counted } from '../../text/wording.ts'
import { api, download, exportUrl } from '../api/client.ts'
import { useAttempt } from '../api/use-requests.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../parts/Button.tsx'
import { Panel } from '../parts/Card.tsx'
import { CopiedLine, FailureNote } from '../parts/Note.tsx'
import { Segmented } from '../parts/Segmented.tsx'
import { exportedModel, words, writtenModel } from '../text/data.ts'
import { certifiedOf } from '../text/now.ts'

/** Everything a project has come to, written beside it and there to be downloaded. */
interface Props {
  project: Project
  model: ModelChoice
  onClose: () => void
}

export function ExportPanel({ project, model, onClose }: Props) {
  const [format, setFormat] = useState<(typeof words.formats)[number]['value']>('csv')
  const [exported, setExported] = useState<Exported>()
  const { attempt, failure, isBusy } = useAttempt()
  useKeys({ close: onClose })
  const isLearning = project.purpose === 'learn'

  function write() {
    setExported(undefined)
    attempt(async () =>
      setExported(await api.export({ format, ...(isLearning && { model: certifiedOf(project) ? model : 'newest' }) })),
    )
  }

  return (
    <Panel id="export" title={words.export} onClose={onClose}>
      <div className="stack data-export">
        <p className="quiet">{words.exported}</p>
        {isLearning && project.model && <p>{exportedModel(project, model)}</p>}
        <Segmented label={words.format} options={words.formats} value={format} onChange={setFormat} />
        <Button kind="primary" disabled={isBusy} onClick={write}>
          {isBusy ? words.writing : words.write}
        </Button>
        {failure && <FailureNote failure={failure} />}
        {exported && <Written exported={exported} />}
        <h3>{words.command}</h3>
        <CopiedLine
          text={`alis export ${shellWord(project.path)}${format === 'csv' ? '' : ` --format ${format}`}${model === 'newest' ? ' --model newest' : ''}`}
        />
      </div>
    </Panel>
  )
}

function Written({ exported: { folder, files, model } }: { exported: Exported }) {
  const { attempt, failure, isBusy } = useAttempt()
  return (
    <div role="status">
      {failure && <FailureNote failure={failure} />}
      <p className="small">
        {words.writtenTo} <span className="mono data-folder">{folder}</span>
      </p>
      {model && <p className="small">{writtenModel(model)}</p>}
      <ul className="data-files">
        {files.map(({ file, rows }) => (
          <li key={file} className="spread">
            <Button kind="bare" disabled={isBusy} onClick={() => attempt(() => download(exportUrl(file), file))}>
              <span className="mono">{file}</span>
            </Button>
            {rows !== undefined && <span className="small faint">{counted(rows, 'row')}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
