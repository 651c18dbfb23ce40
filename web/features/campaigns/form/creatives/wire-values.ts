import { z } from '#contract/zod'
import { withoutToken } from '#domain/campaign/content/file-addresses'
import { byteLength } from '#domain/campaign/saving/save-rules'

/** Shared parts of the creatives' forms. The form keeps media in their wire format, so that they are sent back unchanged. */

/** Counts like a save (`faults:maxBytes`): UTF-8 bytes, including spaces. */
export const bytes = (max: number) => z.string().check(z.refine((text) => byteLength(text) <= max, `faults:maxBytes?max=${max}`))

/** Optional until publishing. */
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

/** Creative names cannot contain spaces, so they are replaced while typing. */
export const typedName = (text: string) => text.replaceAll(/\s/g, '_')

/** Text for the wire. Unchanged text is sent as stored, null or empty. */
export const textBack = (typed: string, stored: string | null | undefined): string | null => {
  if (stored !== undefined && typed === (stored ?? '')) return stored
  return typed.trim() === '' ? null : typed
}

/** Compares plain data made by the same function, so the keys have the same order. Tokens in addresses of files change by the clock. */
export const isSame = (one: unknown, other: unknown) => textOf(one) === textOf(other)
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? withoutToken(part) : part))

/** Returns the part of a wire path under `root`: '' for the root itself, null when the path is elsewhere. */
export function under(path: string, root: string): string | null {
  if (path === root) return ''
  const rest = path.slice(root.length)
  return path.startsWith(root) && /^[.[]/.test(rest) ? rest.replace(/^\./, '') : null
}
export const headOf = (rest: string) => rest.split(/[.[]/, 1)[0] ?? ''
