import { z } from '../../../../../api/contract/zod.ts'
import { byteLength } from '../../../../../domain/campaign/saving/save-rules.ts'

/** Parts that the forms of creatives share. Media stand in the form as they do on the wire, so that they go back as they came. */

/** `faults:maxBytes` counts as a save does: UTF-8 bytes, spaces too. */
export const bytes = (max: number) => z.string().check(z.refine((text) => byteLength(text) <= max, `faults:maxBytes?max=${max}`))

/** May stay empty until publishing. */
export const draftName = z
  .string()
  .check(z.maxLength(75, 'faults:creativeNameLength'), z.regex(/^[A-Za-z0-9._-]*$/, 'faults:creativeNamePattern'))

export const sizedImage = z.object({
  width: z.number(),
  height: z.number(),
  file_id: z.nullable(z.string()),
  url: z.nullable(z.string()),
})
export type SizedImageValue = z.infer<typeof sizedImage>

export const indexedImage = z.object({ index: z.number(), file_id: z.string(), url: z.nullable(z.string()) })

/** Spaces cannot stand in a creative's name; they are replaced while it is typed. */
export const typedName = (text: string) => text.replaceAll(/\s/g, '_')

/** Text for the wire: what was not touched goes back as it came, null or empty. */
export const textBack = (typed: string, stored: string | null | undefined): string | null => {
  if (stored !== undefined && typed === (stored ?? '')) return stored
  return typed.trim() === '' ? null : typed
}

/** Both hold plain data made by the same function, so that their keys stand in the same order. */
export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What of a wire path lies under `root`: '' for the root itself, null when the path is somewhere else. */
export function under(path: string, root: string): string | null {
  if (path === root) return ''
  const rest = path.slice(root.length)
  return path.startsWith(root) && /^[.[]/.test(rest) ? rest.replace(/^\./, '') : null
}
export const headOf = (rest: string) => rest.split(/[.[]/, 1)[0] ?? ''
