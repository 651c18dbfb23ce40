import { isErasedMark } from '../../../../../domain/personal.ts'
import { lookUp } from '../../../../i18n/look-up.ts'

/**
 * The name of a changed path in the reader's language: the longest known beginning of it, and what follows as it is.
 * Elements keep their id out of the label; the path itself is shown beside it.
 */
export function pathLabel(path: string): string {
  const segments = path.replaceAll(/\[[^\]]*\]/g, '').split('.')
  for (let length = segments.length; length > 0; length -= 1) {
    const known = lookUp(`log:fields.${segments.slice(0, length).join('__')}`)
    if (known === null) continue
    const rest = segments.slice(length).join('.')
    return rest === '' ? known : `${known}: ${rest}`
  }
  return path
}

/** True when some of a value is the mark of something that was erased. */
export const holdsErased = (value: unknown): boolean =>
  typeof value === 'string' ? isErasedMark(value) : Array.isArray(value) && value.some(holdsErased)

/** A value as it is stored; null for nothing at all. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string') return value
  return JSON.stringify(value, null, 2)
}
