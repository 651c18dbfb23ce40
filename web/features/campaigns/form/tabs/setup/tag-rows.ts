import { partsOf } from '#domain/kit/addresses'

export type TagRow = { readonly name: string; readonly value: string }

/** Parses the parameters of stored tags. Of an address only its query counts (fine print 42). */
export function tagRows(tags: string): TagRow[] {
  const query = /^https?:/i.test(tags) ? (partsOf(tags).query ?? '') : tags
  if (query === '') return []
  return query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=')
    return { name, value: value.join('=') }
  })
}

/** Formats rows as a query template. */
export const tagsOfRows = (rows: readonly TagRow[]): string =>
  rows.map(({ name, value }) => `${escaped(name, /[&=#?\s]/g)}=${escaped(value, /[&#\s]/g)}`).join('&')

/** Removes rows without a name. */
export const namedTags = (tags: string): string => tagsOfRows(tagRows(tags).filter(({ name }) => name !== ''))

const escaped = (text: string, reserved: RegExp) => text.replaceAll(reserved, encodeURIComponent)
