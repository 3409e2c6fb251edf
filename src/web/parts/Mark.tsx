/** The interval: two caps, a line, a dot. */
export function Mark() {
  return (
    <svg
      className="mark"
      width="26"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M2 3v10M24 3v10M2 8h22" />
      <circle cx="10" cy="8" r="4" fill="currentColor" stroke="none" />
    </svg>
  )
}
