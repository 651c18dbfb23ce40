import { createHmac, timingSafeEqual } from 'node:crypto'
import { bannerAddress, fileAddress } from '#domain/campaign/content/file-addresses'

/** How long a token works at most, and how often a new one replaces it, seconds: answers within one period are equal. */
const LIFE = 1800
const PERIOD = 300

/** Tokens of stored files that no review has approved. */
export type FileTokens = {
  readonly tokenOf: (fileId: string) => string
  readonly isGood: (fileId: string, token: string) => boolean
  /** An answer in which the addresses of these files carry tokens; those of reviewed files stay plain. */
  readonly addressed: <T>(answer: T) => Promise<T>
}

type FileTokenDeps = {
  readonly secret: string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Those of these files that a review approved. */
  readonly reviewedOf: (fileIds: readonly string[]) => Promise<readonly string[]>
}

/** Reviewed files that are remembered; a review is for good. */
const REMEMBERED = 50_000

/** A token is the second at which it ends, and an HMAC of it and of the file's id. */
export function createFileTokens({ secret, now, reviewedOf }: FileTokenDeps): FileTokens {
  const reviewed = new Set<string>()
  const signature = (fileId: string, ends: string): string =>
    createHmac('sha256', secret).update(`${ends} ${fileId}`).digest('base64url')
  function tokenOf(fileId: string): string {
    const ends = String((Math.floor(now() / 1000 / PERIOD) + 1) * PERIOD + LIFE - PERIOD)
    return `${ends}.${signature(fileId, ends)}`
  }
  return {
    tokenOf,
    isGood(fileId, token) {
      const [ends = '', sent = ''] = token.split('.')
      if (!/^\d{1,12}$/.test(ends) || Number(ends) * 1000 <= now()) return false
      const [a, b] = [Buffer.from(sent), Buffer.from(signature(fileId, ends))]
      return a.length === b.length && timingSafeEqual(a, b)
    },
    async addressed(answer) {
      const named = new Set<string>()
      replaced(answer, (address, id) => {
        if (!reviewed.has(id)) named.add(id)
        return address
      })
      if (named.size === 0) return answer
      if (reviewed.size > REMEMBERED) reviewed.clear()
      for (const id of await reviewedOf([...named])) reviewed.add(id)
      return replaced(answer, (address, id, kind) => {
        if (reviewed.has(id)) return address
        return (kind === 'cache' ? fileAddress : bannerAddress)(id, tokenOf(id))
      }) as typeof answer
    },
  }
}

const ADDRESS = /^\/v1\/file\/(cache|banner)\/([\w-]+)(?:\/index\.html)?$/
/** Fields that the server fills with addresses of files; those of a recorded change are values of a field `url`. */
const FIELDS: ReadonlySet<string> = new Set(['url', 'file_url', 'preview_url'])
const OF_CHANGE: ReadonlySet<string> = new Set(['from', 'to', 'value'])
const isChangedUrl = (node: object): boolean => 'path' in node && typeof node.path === 'string' && node.path.endsWith('.url')

type Replace = (address: string, fileId: string, kind: string | undefined) => string

/** The answer with each address of a file replaced. Parts without one are not copied. */
function replaced(node: unknown, replace: Replace, isAddress = false): unknown {
  if (typeof node === 'string') {
    const [, kind, id] = isAddress ? (ADDRESS.exec(node) ?? []) : []
    return id === undefined ? node : replace(node, id, kind)
  }
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) {
    const mapped = node.map((part: unknown) => replaced(part, replace, isAddress))
    return mapped.some((part, i) => part !== node[i]) ? mapped : node
  }
  const fields = node as Readonly<Record<string, unknown>>
  const changedUrl = isChangedUrl(node)
  let copy: Record<string, unknown> | null = null
  for (const key of Object.keys(fields)) {
    const value = replaced(fields[key], replace, FIELDS.has(key) || (changedUrl && OF_CHANGE.has(key)))
    if (value === fields[key]) continue
    copy ??= { ...fields }
    copy[key] = value
  }
  return copy ?? node
}
