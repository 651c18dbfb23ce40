import { exists, t } from 'i18next'

/** Returns the text of a key built from data, or null when there is none. For static keys use `t`. */
export function lookUp(key: string, params: Record<string, string | number> = {}): string | null {
  if (!exists(key)) return null
  return t(key, { ...params, defaultValue: '' })
}
