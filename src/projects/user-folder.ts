import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where programs keep what belongs to a user. */
export function userFolder({ env, platform } = process): string {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'alis')
  if (platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'alis')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'alis')
  return join(homedir(), '.config', 'alis')
}
