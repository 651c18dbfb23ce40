import { ConfigFault } from '#commands/config-fault'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './version.ts'

/**
 * Returns the folder of the documentation site: `dist/docs`, where `npm run docs` builds it, or the given one. Null for `off`, and where no
 * site was built; a given folder without a site is refused.
 */
export function documentationFolder(setting: string | undefined): string | null {
  if (setting === 'off') return null
  const folder = setting === undefined ? join(ROOT, 'dist/docs') : resolve(setting)
  if (existsSync(join(folder, 'index.html'))) return folder
  if (setting !== undefined) throw new ConfigFault('PLACARD_DOCUMENTATION: the folder holds no site, which npm run docs builds')
  return null
}
