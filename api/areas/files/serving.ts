import { WARNINGS_HEADER } from '../../contract/files.ts'
import type { ArchiveEntry, FileRecord } from '../../kit/files/stored-files.ts'

/**
 * Headers of user content: no sniffing; opened directly, it gets an opaque origin and runs no script. Other sites may embed it,
 * as advertisements require.
 */
export function servedFile({ content_type, id, warnings }: FileRecord): Readonly<Record<string, string>> {
  const download = content_type === 'application/zip' ? { 'Content-Disposition': `attachment; filename="${id}.zip"` } : {}
  const warned = warnings.length === 0 ? {} : { [WARNINGS_HEADER]: warnings.join(',') }
  return { ...GUARDED, 'Content-Type': content_type, 'Content-Security-Policy': 'sandbox', ...download, ...warned }
}

/** A banner's pages may run their scripts in an opaque origin, and load only files of the banner. */
export const servedBanner = ({ content_type }: ArchiveEntry): Readonly<Record<string, string>> => ({
  ...GUARDED,
  'Content-Type': content_type,
  'Content-Security-Policy': BANNER_POLICY,
  // Fonts and modules are requested with the page's origin, which is opaque.
  'Access-Control-Allow-Origin': '*',
  // A cache must not serve to the application what it may not load (`isScriptOfApplication`).
  Vary: 'Sec-Fetch-Dest, Sec-Fetch-Site',
  // An opaque origin has no cluster key: sending the header only causes browser warnings.
  'Origin-Agent-Cluster': '?0',
})

const SCRIPTS = ['audioworklet', 'paintworklet', 'script', 'serviceworker', 'sharedworker', 'worker', 'xslt', 'embed', 'object']

/**
 * True for a request in which a page of this origin would run a banner's file as its own script. Banners run with an opaque
 * origin, so their own requests are never same-origin. The application's policy forbids this too (security-headers.ts).
 */
export const isScriptOfApplication = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && SCRIPTS.includes(String(headers['sec-fetch-dest']))

/** Headers of the application that a banner must not carry: publishers show it in a frame. */
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
