/** Separators of cells. Of two that fit equally the first counts: commas stand in texts and numbers, tabs hardly ever. */
const SEPARATORS = ['\t', ';', '|', ','] as const

/** Lines that show the separator. */
const LINES = 20
/** Line that declares the separator to Excel when it is the first one. */
const DECLARED = /^"?sep=(\t|[^\w\s"])"?\s*$/i

/** The separator that a first line declares for Excel; null for another line. */
export const declaredSeparator = (line: string): string | null => DECLARED.exec(line)?.[1] ?? null

/**
 * The separator of a text by its first lines: one of the first line that has any, which most of the others have as often. Titles above a
 * table, as advertising platforms export them, have none.
 */
export function separatorOf(text: string): string {
  const written = unquoted(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const first = written.findIndex((line) => SEPARATORS.some((mark) => line.includes(mark)))
  const lines = written.slice(Math.max(0, first)).slice(0, LINES)
  const counts = SEPARATORS.map((mark) => lines.map((line) => line.split(mark).length - 1))
  const alike = counts.map(([first = 0, ...others]) => (first === 0 ? -1 : others.filter((count) => count === first).length))
  const most = Math.max(...alike)
  return (most === -1 ? undefined : SEPARATORS[alike.indexOf(most)]) ?? ','
}

/** A text without what stands in quotes. */
const unquoted = (text: string): string => text.replaceAll(/"[^"]*(?:"|$)/g, '')
