/**
 * Parses URL parameters as plain text: a campaign named 2024 stays text, and links stay readable. Route schemas parse numbers.
 */
export const parseSearch = (search: string): Record<string, unknown> => Object.fromEntries(new URLSearchParams(search))

export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, typeof value === 'string' ? value : JSON.stringify(value)]],
  )
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`
}
