import { useId, useState } from 'react'
import { count } from '../../text/wording.ts'
import { Button } from '../parts/Button.tsx'

interface Item {
  readonly path: string
  readonly about: string
}

interface Props {
  title: string
  note?: string
  items: readonly Item[]
  onChoose: (path: string) => void
}

const atFirst = 6

export function FileList({ title, note, items, onChoose }: Props) {
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
