/** How far something is, 0 to 1. Without `share` it is under way, and how far is not known. */
export function Meter({ label, share }: { label: string; share?: number | null | undefined }) {
  const percent = share == null ? undefined : Math.round(Math.min(1, Math.max(0, share)) * 100)
  return (
    <div className="meter" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
      <i style={{ width: `${percent ?? 0}%` }} />
    </div>
  )
}
