/**
 * Addresses in their parts, as the URL Standard finds them: the fragment begins at the first `#`, the query at the first `?` before it.
 * The text of the parts is as it was written, so that macros such as `{CID}` stay.
 */
export type AddressParts = { readonly before: string; readonly query: string | null; readonly fragment: string }

export function partsOf(address: string): AddressParts {
  const [beforeFragment = ''] = address.split('#', 1)
  const [before = ''] = beforeFragment.split('?', 1)
  const query = before.length === beforeFragment.length ? null : beforeFragment.slice(before.length + 1)
  return { before, query, fragment: address.slice(beforeFragment.length) }
}

/** The address with a query more. Its path, its parameters and its fragment, which may be its own page, stay as they are. */
export function withQuery(address: string, added: string): string {
  if (added === '') return address
  const { before, query, fragment } = partsOf(address)
  const joint = query === null || query === '' || query.endsWith('&') ? '' : '&'
  return `${before}?${query ?? ''}${joint}${added}${fragment}`
}

/** The query that `whole` has more than the address; null where it is another address. */
export function addedQuery(address: string, whole: string): string | null {
  const [from, to] = [partsOf(address), partsOf(whole)]
  if (from.before !== to.before || from.fragment !== to.fragment) return null
  const [before, after] = [from.query ?? '', to.query ?? '']
  if (!after.startsWith(before)) return null
  const added = after.slice(before.length)
  const isApart = before === '' || added === '' || added.startsWith('&') || before.endsWith('&')
  return isApart ? added.replace(/^&/, '') : null
}

/** Names of the parameters, decoded, also of those that a page of one document keeps behind `#`. */
export function parameterNames(address: string): readonly string[] {
  const { query, fragment } = partsOf(address)
  const [, ...behind] = fragment.split('?')
  return [query ?? '', behind.join('?')].flatMap((text) => [...new URLSearchParams(text.replaceAll(';', '&')).keys()])
}
