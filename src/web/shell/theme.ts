/** Light or dark as the system says, until someone chooses; a choice that agrees with the system again is forgotten. */
export function switchTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const now = document.documentElement.dataset.theme || system
  const next = now === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = next
  try {
    if (next === system) localStorage.removeItem('alis:theme')
    else localStorage.setItem('alis:theme', next)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
