const SETTINGS = ['endpoint', 'region', 'path_style']
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Characters that every S3-compatible store takes in a key as they are. */
const PREFIX = /^[\w.()!'*-]+(\/[\w.()!'*-]+)*$/

export type S3Place = {
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly endpoint: string | null
  readonly region: string
  readonly pathStyle: boolean
}

/** Errors never contain the URL: it may hold a secret by mistake. */
export function readS3Url(text: string): S3Place {
  const url = parsed(text)
  if (url === null || url.protocol !== 's3:') throw fault('must look like s3://bucket/prefix')
  if (url.username !== '' || url.password !== '') throw fault('must not hold credentials: they come from the environment')
  if (url.port !== '') throw fault('must name a bucket: set host and port in endpoint')
  if (!BUCKET.test(url.hostname)) throw fault('needs a bucket name after s3://')
  if (url.hash !== '') throw fault('must not hold a #')
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  if (prefix !== '' && !PREFIX.test(prefix))
    throw fault("may have a prefix of letters, digits and _.()!'*- between single slashes only")
  const keys = [...url.searchParams.keys()]
  if (keys.some((key) => !SETTINGS.includes(key))) throw fault(`may set ${SETTINGS.join(', ')} and nothing else`)
  if (new Set(keys).size < keys.length) throw fault('must set each option once')
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !isOrigin(endpoint)) throw fault('needs an endpoint like http://host:port or https://host:port')
  const region = url.searchParams.get('region') ?? 'us-east-1'
  if (!/^[a-z0-9-]+$/.test(region)) throw fault('needs a region like eu-west-1')
  const style = url.searchParams.get('path_style') ?? String(endpoint !== null)
  if (style !== 'true' && style !== 'false') throw fault('needs path_style=true or path_style=false')
  return { bucket: url.hostname, prefix: prefix && `${prefix}/`, endpoint, region, pathStyle: style === 'true' }
}

const fault = (what: string): Error => new Error(`the S3 URL ${what}`)

/** The fault that `URL` throws itself shows its input. */
const parsed = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

function isOrigin(text: string): boolean {
  const url = parsed(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false
  // Equal only when there is no user, path, query or fragment.
  return url.href === `${url.origin}/`
}
