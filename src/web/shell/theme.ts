import { stored } from '../state/storage.ts'

/** Light or dark as the system says, until the other is chosen; a choice that agrees with the system again is forgotten. */
export function switchTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const now = document.documentElement.dataset.theme || system
  const next = now === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = next
  stored('local', 'alis:theme').write(next === system ? undefined : next)
}
