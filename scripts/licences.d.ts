import type { Plugin } from 'vite'

export function licences(): Plugin
export function licencesOf(folders: readonly string[]): string
