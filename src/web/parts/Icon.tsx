/** Drawn with strokes on a grid of 18, in the colour of the words beside them. */
const paths = {
  check: <path d="m3.5 9.5 3.6 3.6L14.5 5.5" strokeWidth="2" />,
  close: <path d="m4.5 4.5 9 9M13.5 4.5l-9 9" strokeWidth="1.75" />,
  warning: <path d="M9 2.5 16 15H2zM9 7.2v3.4M9 12.8v.01" />,
  info: ringed('M9 8.2v4.1M9 5.6v.01'),
  offline: (
    <path d="M2.5 2.5l13 13M5.7 6A3.4 3.4 0 0 0 5 12.5h7.4M8.4 4.7a4 4 0 0 1 5.1 3.9 2.3 2.3 0 0 1 1.8 3" strokeWidth="1.75" />
  ),
  theme: (
    <>
      <circle cx="9" cy="9" r="6.5" />
      <path d="M9 2.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" />
    </>
  ),
  keys: ringed('M7 7.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.3M9 12.6v.01'),
  rail: (
    <>
      <rect x="2.25" y="3" width="13.5" height="12" rx="2" />
      <path d="M11.25 3v12" />
    </>
  ),
  search: (
    <>
      <circle cx="8" cy="8" r="5" />
      <path d="m12 12 3.5 3.5" />
    </>
  ),
  file: <path d="M4.5 2h6l3.5 3.5V16h-9.5zM10.5 2v3.5H14" />,
  upload: <path d="M9 11.5v-8M5.5 6.5 9 3l3.5 3.5M3 12v3h12v-3" />,
  ring: <circle cx="9" cy="9" r="5.5" />,
  turning: (
    <>
      <circle cx="9" cy="9" r="6" strokeOpacity=".25" strokeWidth="2" />
      <path d="M9 3a6 6 0 0 1 6 6" strokeWidth="2" />
    </>
  ),
}

function ringed(path: string) {
  return (
    <>
      <circle cx="9" cy="9" r="6.75" />
      <path d={path} />
    </>
  )
}

export function Icon({ name, size = 18 }: { name: keyof typeof paths; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths[name]}
    </svg>
  )
}

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
