import { type DragEvent, useEffect, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { rich } from '../parts/rich.tsx'
import { startWords } from '../text/start.ts'
import { parts } from '../text/start-parts.ts'

/** A place to drop a file on, which is also the label of an ordinary file field: keyboard and touch get the same. */
export function DropZone({ onFiles, isBusy }: { onFiles: (files: readonly File[]) => void; isBusy: boolean }) {
  const [isOver, setIsOver] = useState(false)
  useNoStrayDrops()
  usePastedRows(isBusy ? undefined : onFiles)

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const entries = [...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
    const plain = [...event.dataTransfer.files]
    const isFolder = entries.some((entry) => entry.isDirectory)
    if (isBusy) return
    if (!isFolder) {
      if (plain.length > 0) onFiles(plain)
      return
    }
    void filesBelow(entries).then((files) => files.length > 0 && onFiles(files))
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
        <b>{parts.drop}</b>
        <span className="quiet">{rich(parts.orChoose, { choose: <span className="start-link">{parts.chooseOne}</span> })}</span>
      </span>
      <span className="small faint">{startWords.formats}</span>
      <input
        className="heard"
        type="file"
        aria-label={parts.chooseFile}
        multiple
        accept=".xlsx,.xlsm,.csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet,.arrow,.zip,.sqlite,.sqlite3,.eval,.libsvm,.svmlight,.npz,image/*"
        disabled={isBusy}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          if (files.length > 0) onFiles(files)
          event.target.value = '' // the same file may be chosen again after an error
        }}
      />
    </label>
  )
}

/** All files of folders that were dropped, each with its path. */
async function filesBelow(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (entry.isFile) {
        const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
        return [Object.defineProperty(file, 'webkitRelativePath', { value: entry.fullPath.slice(1) })]
      }
      const reader = (entry as FileSystemDirectoryEntry).createReader()
      const below: FileSystemEntry[] = []
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
        if (some.length === 0) return filesBelow(below)
        below.push(...some) // a hundred at a time
      }
    }),
  )
  return found.flat()
}

/** Rows copied from a spreadsheet are a file of their own: cells with tabs between them, under their header. */
function usePastedRows(onFiles: ((files: readonly File[]) => void) | undefined) {
  useEffect(() => {
    function paste({ clipboardData, target }: ClipboardEvent) {
      if (target instanceof HTMLInputElement && target.type !== 'file') return
      const text = clipboardData?.getData('text') ?? ''
      const isTable = text.includes('\t') && text.trim().includes('\n')
      if (isTable && onFiles) onFiles([new File([text], 'pasted.tsv')])
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [onFiles])
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
