/** Titles of the headings of a page, in their order. */
export const headingsOf = (markdown: string): readonly string[] =>
  [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading.trim())

/** Anchors of the headings of a page, as GitHub makes them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const heading of headingsOf(markdown)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    let free = anchor
    for (let n = 1; anchors.has(free); n += 1) free = `${anchor}-${n}`
    anchors.add(free)
  }
  return anchors
}
