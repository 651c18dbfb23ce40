import { exists, t } from 'i18next'

/** Returns the text of a key built from data, or null when there is none. For static keys use `t`. */
export function lookUp(key: string, params: Record<string, string | number> = {}): string | null {
  if (!exists(key)) return null
  return t(key, { ...params, defaultValue: '' })
}

/** The text of a rule of a form: a key of any namespace, with parameters after a question mark; any other text is returned as it is. */
export function ruleText(message: string): string {
  const [key = '', parameters] = message.split('?')
  return lookUp(key, Object.fromEntries(new URLSearchParams(parameters))) ?? message
}
