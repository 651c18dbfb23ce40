/** Even versions from here on get security fixes; odd ones, of half a year each, and older ones do not. */
const OLDEST_KEPT = 22

/** Notice of the start about a version of Node.js without security fixes, such as `v20.20.2`; null for others. */
export function nodeNotice(version: string): string | null {
  const major = Number(/^v(\d+)/.exec(version)?.[1])
  if (major >= OLDEST_KEPT && major % 2 === 0) return null
  return `Node.js ${major} gets no security fixes: use 24 or 26 for anything that others rely on.`
}
