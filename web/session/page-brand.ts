import { whitelabelInfo, type WhitelabelInfo } from '#contract/white-label-info'

/** The white-label of this host, as the server wrote it into the head of the page; undefined where it did not. */
export function brandInPage(): WhitelabelInfo | undefined {
  const content = document.querySelector('meta[name="placard-white-label"]')?.getAttribute('content')
  if (content === null || content === undefined) return undefined
  try {
    const read = whitelabelInfo.output.safeParse(JSON.parse(content))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}
