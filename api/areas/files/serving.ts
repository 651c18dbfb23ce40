import { WARNINGS_HEADER } from '../../contract/files.ts'
import type { ArchiveEntry, FileRecord } from '../../kit/files/stored-files.ts'

/**
 * Headers of what others uploaded. It is never sniffed, and opened by itself it has no origin and runs no script. Other sites may show it:
 * that is what advertisements are for.
 */
export function servedFile({ content_type, id, warnings }: FileRecord): Readonly<Record<string, string>> {
  const download = content_type === 'application/zip' ? { 'Content-Disposition': `attachment; filename="${id}.zip"` } : {}
  const warned = warnings.length === 0 ? {} : { [WARNINGS_HEADER]: warnings.join(',') }
  return { ...GUARDED, 'Content-Type': content_type, 'Content-Security-Policy': 'sandbox', ...download, ...warned }
}

/** A banner's own pages may run their scripts, in an origin that is nobody's, and load nothing but what came with them. */
export const servedBanner = ({ content_type }: ArchiveEntry): Readonly<Record<string, string>> => ({
  ...GUARDED,
  'Content-Type': content_type,
  'Content-Security-Policy': BANNER_POLICY,
  // Fonts and modules are asked for with the page's origin, which is none.
  'Access-Control-Allow-Origin': '*',
  // A cache must not hand to the application what it may not load (`isScriptOfApplication`).
  Vary: 'Sec-Fetch-Dest, Sec-Fetch-Site',
  // Without an origin there is nothing to key a cluster by: asking for it only makes browsers complain.
  'Origin-Agent-Cluster': '?0',
})

const SCRIPTS = ['audioworklet', 'paintworklet', 'script', 'serviceworker', 'sharedworker', 'worker', 'xslt', 'embed', 'object']

/**
 * True for a request by which a page of this very origin would run a file of a banner as its own script. Banners themselves play without an
 * origin, so what they load never comes from the same one. The application's policy forbids this too (security-headers.ts).
 */
export const isScriptOfApplication = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && SCRIPTS.includes(String(headers['sec-fetch-dest']))

/** Headers of the application that a banner must not carry: pages of publishers show it in a frame. */
export const NOT_FOR_BANNERS = ['X-Frame-Options'] as const

const GUARDED = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'cross-origin' }

const own = (...more: readonly string[]): string => ["'self'", ...more].join(' ')
const BANNER_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  `script-src ${own("'unsafe-inline'")}`,
  `style-src ${own("'unsafe-inline'")}`,
  `img-src ${own('data:', 'blob:')}`,
  `media-src ${own('data:', 'blob:')}`,
  `font-src ${own('data:')}`,
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')
