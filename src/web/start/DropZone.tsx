import { type DragEvent, useEffect, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'

/** A place to drop a file on, which is also the label of an ordinary file field: keyboard and touch get the same. */
export function DropZone({ onFile, isBusy }: { onFile: (file: File) => void; isBusy: boolean }) {
  const [isOver, setIsOver] = useState(false)
  useNoStrayDrops()

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
          or <span className="start-link">choose one</span>
        </span>
      </span>
      <span className="small faint">CSV, TSV, JSON, JSONL, Parquet or Arrow. Nothing leaves this machine.</span>
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
