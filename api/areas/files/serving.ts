import { FRAME_RATE_HEADER, WARNINGS_HEADER } from '#contract/files'
import type { ArchiveEntry, FileRecord } from '#platform/files/stored-files'

/**
 * Headers of user content: no sniffing; opened directly, it gets an opaque origin and runs no script. Other sites may embed it,
 * as advertisements require.
 */
export function servedFile({ content_type, id, warnings, frame_rate: rate }: FileRecord): Readonly<Record<string, string>> {
  const download = content_type === 'application/zip' ? { 'Content-Disposition': `attachment; filename="${id}.zip"` } : {}
  const warned = warnings.length === 0 ? {} : { [WARNINGS_HEADER]: warnings.join(',') }
  const rated = rate === null ? {} : { [FRAME_RATE_HEADER]: String(rate) }
  // The application reads what is known of a file, also from a content origin.
  const exposed = [WARNINGS_HEADER, FRAME_RATE_HEADER].join(', ')
  const readable = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed }
  const type = { 'Content-Type': content_type, 'Content-Security-Policy': 'sandbox' }
  return { ...GUARDED, ...readable, ...type, ...download, ...warned, ...rated }
}

/**
 * A banner's pages may run their scripts in an opaque origin, and load only files below the banner's own folder: nothing else of the
 * host, such as the pixel. `hosts`: where browsers may reach it, as hosts or origins.
 */
export const servedBanner = (
  { content_type }: ArchiveEntry,
  fileId: string,
  hosts: readonly (string | null)[],
): Readonly<Record<string, string>> => ({
  ...GUARDED,
  'Content-Type': content_type,
  'Content-Security-Policy': bannerPolicy(hosts.flatMap((host) => folderOn(host, fileId))),
  // Fonts and modules are requested with the page's origin, which is opaque.
  'Access-Control-Allow-Origin': '*',
  // A cache must not serve to the application what it may not load (`isScriptOfApplication`), nor a page outside a frame (`mayLoad`).
  Vary: 'Sec-Fetch-Dest, Sec-Fetch-Site',
  // An opaque origin has no cluster key: sending the header only causes browser warnings.
  'Origin-Agent-Cluster': '?0',
})

export type Served = {
  readonly headers: Readonly<Record<string, string>>
  readonly audience: 'everybody' | 'holder'
  /** Headers of the application that the answer must not carry. */
  readonly without?: readonly string[]
}

type Sent = Readonly<Record<string, string | readonly string[] | undefined>>

type Typed = Pick<ArchiveEntry, 'content_type'>

/** A page of a banner, which is served with the script of its clicks. */
export const isPage = ({ content_type: type }: Typed): boolean => type.startsWith('text/html')
/** Types that a browser shows as a page with scripts. */
const mayRun = (type: string): boolean => /^(text\/html|text\/xml|image\/svg\+xml)/.test(type)
const FRAMES = ['iframe', 'frame', 'fencedframe']
/** How a browser asks for what it shows as its own page. */
const PAGES = ['document', 'embed', 'object']

/**
 * Whether a request may load a banner's file: pages only into a frame, so that none passes for a page of the product, and everything
 * else only as a part of one (fine print 72). A request that does not say how it is used gets no page.
 */
export function mayLoad(headers: Sent, entry: Typed): boolean {
  const use = headers['sec-fetch-dest']
  if (isPage(entry)) return FRAMES.includes(String(use))
  return use === undefined ? !mayRun(entry.content_type) : !PAGES.includes(String(use))
}

const SCRIPTS = ['audioworklet', 'paintworklet', 'script', 'serviceworker', 'sharedworker', 'worker', 'xslt', 'embed', 'object']

/**
 * True for a request in which a page of this origin would run a banner's file as its own script. Banners run with an opaque
 * origin, so their own requests are never same-origin. The application's policy forbids this too (security-headers.ts).
 */
export const isScriptOfApplication = (headers: Sent): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && SCRIPTS.includes(String(headers['sec-fetch-dest']))

/** Headers of the application that a banner must not carry: publishers show it in a frame. */
export const NOT_FOR_BANNERS = ['X-Frame-Options'] as const

const GUARDED = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** A banner's folder as sources of a policy, which cannot name IPv6 addresses. */
const folderOn = (host: string | null, fileId: string): readonly string[] =>
  host !== null && /^(https?:\/\/)?[a-z0-9.-]+(:\d+)?$/i.test(host) ? [`${host}/v1/file/banner/${fileId}/`] : []

const bannerPolicy = (own: readonly string[]): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    ['script-src', ...own, "'unsafe-inline'"].join(' '),
    ['style-src', ...own, "'unsafe-inline'"].join(' '),
    ['img-src', ...own, 'data: blob:'].join(' '),
    ['media-src', ...own, 'data: blob:'].join(' '),
    ['font-src', ...own, 'data:'].join(' '),
    // Tools load their texts and animations from files of the zip.
    ['connect-src', ...own].join(' '),
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
