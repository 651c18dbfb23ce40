import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './version.ts'

/**
 * Returns the folder of the documentation site: `dist/docs`, where `npm run docs` builds it, or the given one. Null for `off`, and where no
 * site was built.
 */
export function documentationFolder(setting: string | undefined): string | null {
  if (setting === 'off') return null
  const folder = setting === undefined ? join(ROOT, 'dist/docs') : resolve(setting)
  return existsSync(join(folder, 'index.html')) ? folder : null
}
