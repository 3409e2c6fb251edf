const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** 14 March 2026 */
export function dayOf(time: string): string {
  return day.format(new Date(time))
}
