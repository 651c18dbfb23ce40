import { exists, t } from 'i18next'

/** The text of a key that was made up from data; null when there is no such text. Keys known beforehand go through `t`. */
export function lookUp(key: string, params: Record<string, string | number> = {}): string | null {
  if (!exists(key)) return null
  return t(key, { ...params, defaultValue: '' })
}
