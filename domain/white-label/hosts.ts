/** White-labels and environments by host name (platform.md §1, decisions G-202). */

/** The white-label of hosts that name none. It cannot be suspended. */
export const DEFAULT_WHITE_LABEL = 'dsp'

export type Environment = 'production' | 'test' | 'dev' | 'local'

/** The first label of a host name, in lower case: `ng.placard.example` → `ng`. */
export function hostLabel(hostname: string): string {
  const [first = ''] = hostname.toLowerCase().split('.', 1)
  return first
}

/** Localhost and IP addresses are local; else a name that contains `test` or `dev` names its environment. */
export function environmentOf(hostname: string): Environment {
  const host = hostname.toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost') || /^[\d.]+$/.test(host) || host.includes(':') || host.startsWith('['))
    return 'local'
  if (host.includes('test')) return 'test'
  return host.includes('dev') ? 'dev' : 'production'
}

/** Labels that name a server or an environment, and so never a white-label. */
const RESERVED: readonly string[] = [
  'www',
  'app',
  'api',
  'admin',
  'mail',
  'smtp',
  'ftp',
  'cdn',
  'static',
  'assets',
  'content',
  'status',
  'docs',
  'help',
  'localhost',
  'test',
  'dev',
  'staging',
  'production',
  // Names of the calls under /v1/whitelabel.
  'info',
  'settings',
  'user',
  'search',
]

/** True for a host label that a new white-label may have: 2 to 30 letters, digits and single dashes, beginning with a letter. */
export const isWhiteLabelId = (id: string): boolean =>
  /^[a-z](?:-?[a-z0-9]){1,29}$/.test(id) && id.length <= 30 && !RESERVED.includes(id)
