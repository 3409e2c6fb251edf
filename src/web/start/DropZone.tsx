import { type DragEvent, useEffect, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { startWords } from '../text/start.ts'

/** A place to drop a file on, which is also the label of an ordinary file field: keyboard and touch get the same. */
export function DropZone({ onFile, isBusy }: { onFile: (file: File) => void; isBusy: boolean }) {
  const [isOver, setIsOver] = useState(false)
  useNoStrayDrops()
  usePastedRows(isBusy ? undefined : onFile)

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !isBusy) onFile(file)
  }

  return (
    <label
      className={isOver ? 'stack start-drop is-over' : 'stack start-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={30} />
      <span>
        <b>Drop a file here</b>
        <span className="quiet">
          or <span className="start-link">choose one</span>, or paste rows from a spreadsheet
        </span>
      </span>
      <span className="small faint">{startWords.formats}</span>
      <input
        className="heard"
        type="file"
        aria-label="Choose a file"
        accept=".csv,.tsv,.json,.jsonl,.ndjson,.parquet,.arrow"
        disabled={isBusy}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) onFile(file)
          event.target.value = '' // the same file may be chosen again after an error
        }}
      />
    </label>
  )
}

/** Rows copied from a spreadsheet are a file of their own: cells with tabs between them, under their header. */
function usePastedRows(onFile: ((file: File) => void) | undefined) {
  useEffect(() => {
    function paste({ clipboardData, target }: ClipboardEvent) {
      if (target instanceof HTMLInputElement && target.type !== 'file') return
      const text = clipboardData?.getData('text') ?? ''
      const isTable = text.includes('\t') && text.trim().includes('\n')
      if (isTable && onFile) onFile(new File([text], 'pasted.tsv'))
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [onFile])
}

/** A file dropped beside the place would otherwise replace the page. */
function useNoStrayDrops() {
  useEffect(() => {
    const refuse = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
}
