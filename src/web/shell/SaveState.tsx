import { count } from '../../text/wording.ts'
import { useServer } from '../api/store.ts'
import { Icon } from '../parts/Icon.tsx'

/** Whether everything given here is on the server's disk. Said aloud only when that is in doubt. */
export function SaveState() {
  const { connection, unsaved } = useServer()
  if (connection === 'offline')
    return (
      <span className="save-state is-offline" role="status">
        <Icon name="offline" size={16} />
        {unsaved === 0 ? 'Offline' : `Offline, ${count(unsaved)} unsaved`}
      </span>
    )
  return (
    <span className="save-state">
      <Icon name="check" size={16} />
      <span data-room="Saving 88">{unsaved === 0 ? 'Saved' : `Saving ${count(unsaved)}`}</span>
    </span>
  )
}
