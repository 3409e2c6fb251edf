import { useState } from 'react'
import type { Exported } from '../../protocol/data.ts'
import type { Project } from '../../protocol/project.ts'
import { shellWord } from '../../text/shell-word.ts'
import { counted } from '../../text/wording.ts'
import { api, exportUrl } from '../api/client.ts'
import { useAttempt } from '../api/use-requests.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../parts/Button.tsx'
import { Panel } from '../parts/Card.tsx'
import { CopiedLine, FailureNote } from '../parts/Note.tsx'
import { Segmented } from '../parts/Segmented.tsx'

const formats = [
  { value: 'csv', text: 'CSV' },
  { value: 'jsonl', text: 'JSONL' },
  { value: 'parquet', text: 'Parquet' },
] as const

/** Everything a project has come to, written beside it and there to be downloaded. */
export function ExportPanel({ project, onClose }: { project: Project; onClose: () => void }) {
  const [format, setFormat] = useState<(typeof formats)[number]['value']>('csv')
  const [exported, setExported] = useState<Exported>()
  const { attempt, failure, isBusy } = useAttempt()
  useKeys({ close: onClose })

  function write() {
    setExported(undefined)
    attempt(async () => setExported(await api.export(format)))
  }

  return (
    <Panel id="export" title="Export" onClose={onClose}>
      <div className="stack data-export">
        <p className="quiet">Labels with their probabilities and weights, predictions, the model, and every certificate.</p>
        <Segmented label="Format of labels and predictions" options={formats} value={format} onChange={setFormat} />
        <Button kind="primary" disabled={isBusy} onClick={write}>
          {isBusy ? 'Writing' : 'Write the files'}
        </Button>
        {failure && <FailureNote failure={failure} />}
        {exported && <Written exported={exported} />}
        <h3>The same as a command</h3>
        <CopiedLine text={`alis export ${shellWord(project.path)}${format === 'csv' ? '' : ` --format ${format}`}`} />
      </div>
    </Panel>
  )
}

function Written({ exported: { folder, files } }: { exported: Exported }) {
  return (
    <div role="status">
      <p className="small">
        Written to <span className="mono data-folder">{folder}</span>
      </p>
      <ul className="data-files">
        {files.map(({ file, rows }) => (
          <li key={file} className="spread">
            <a className="mono" href={exportUrl(file)} download>
              {file}
            </a>
            {rows !== undefined && <span className="small faint">{counted(rows, 'row')}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
