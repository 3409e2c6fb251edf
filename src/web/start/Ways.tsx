import type { Inspection } from '../../protocol/start.ts'
import { listed } from '../../text/wording.ts'
import { Button } from '../parts/Button.tsx'
import { parts } from '../text/start-parts.ts'

interface Props {
  ways: Inspection['ways']
  isBusy: boolean
  onChoose: (path: string) => void
}

/** Another sheet, another encoding, numbers with a comma: the other ways in which the same file can be read. */
export function Ways({ ways: { sheets, encodings, comma }, isBusy, onChoose }: Props) {
  return (
    <>
      {sheets.length > 1 && (
        <label className="start-from small">
          {`${parts.sheet} `}
          <select
            className="start-role"
            disabled={isBusy}
            value={sheets.find(({ isChosen }) => isChosen)?.path}
            onChange={({ target }) => onChoose(target.value)}
          >
            {sheets.map(({ text, path }) => (
              <option key={path} value={path}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
      {encodings.length > 1 && (
        <fieldset className="start-encodings" aria-label={parts.whichReads}>
          <legend>{parts.whichReads}</legend>
          {encodings.map(({ text, sample, path, isChosen }) => (
            <label className="start-check" key={path}>
              <input type="radio" name="encoding" disabled={isBusy} checked={isChosen} onChange={() => onChoose(path)} />
              <span className="clipped" dir="auto">
                {sample}
              </span>
              <span className="faint">{text}</span>
            </label>
          ))}
        </fieldset>
      )}
      {comma && (
        <p className="small start-lost">
          {comma.isChosen
            ? parts.readComma
            : `${listed(comma.columns, 'and')} ${comma.columns.length === 1 ? 'has' : 'have'} numbers with a comma, such as ${comma.example}.`}{' '}
          <Button disabled={isBusy} onClick={() => onChoose(comma.path)}>
            {comma.isChosen ? parts.asText : parts.asNumbers}
          </Button>
        </p>
      )}
    </>
  )
}
