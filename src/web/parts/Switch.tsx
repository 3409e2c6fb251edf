interface Props {
  label: string
  note?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

export function Switch({ label, note, isOn, onChange }: Props) {
  return (
    <label className="spread switch">
      <span>
        {label}
        {note && <span className="small faint">{note}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
