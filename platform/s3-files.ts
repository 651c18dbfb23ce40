import type { BlobStore } from '../api/kit/files/media.ts'
import { blobPath, verified } from './disk-files.ts'

const SETTINGS = ['endpoint', 'region', 'path_style']
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** What every S3-compatible store takes in a key as it is. */
const PREFIX = /^[\w.()!'*-]+(\/[\w.()!'*-]+)*$/
const ATTEMPTS = 3
const CONNECTION_MS = 3000
const REQUEST_MS = 30_000

type S3Place = {
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string | null
  readonly region: string
  readonly pathStyle: boolean
}

/**
 * Files in an S3 bucket, named as on disk:
 * `s3://bucket/optional/prefix?endpoint=http://host:port&region=eu-west-1&path_style=true`. The region is us-east-1 by default;
 * path style is the default with an endpoint. Credentials come from the SDK's usual sources (AWS_ACCESS_KEY_ID and so on).
 * Throws when the URL is not of that form, without repeating it. `put` and `get` fail when S3 does three times or the hash is
 * malformed; `get` also when the object is missing or its bytes have another hash.
 */
export async function createS3Files(url: string): Promise<BlobStore & { readonly close: () => void }> {
  const { bucket, prefix, endpoint, region, pathStyle } = readS3Url(url)
  // Its seven lines about Node.js 20: the start has one of its own.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  // Here, so that products without S3 do not load it.
  const { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3')
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== null && { endpoint }),
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_MS,
      requestTimeout: REQUEST_MS,
      // Without it a request that takes too long is only warned about.
      throwOnRequestTimeout: true,
      // The time-out of requests ends with the headers of the answer; a body that stalls must end too.
      socketTimeout: REQUEST_MS,
    },
    // The SDK's own checksums come as trailers that some S3-compatible servers store as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const placeOf = (sha256: string) => ({ Bucket: bucket, Key: `${prefix}${blobPath(sha256)}` })

  const lengthOf = async (sha256: string): Promise<number | null> => {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand(placeOf(sha256)))
      return ContentLength ?? null
    } catch (error) {
      // Without the right to list the bucket, a missing object is 403; without the right to write, the put reports it.
      if (['403', '404'].includes(statusOf(error))) return null
      throw error
    }
  }

  return {
    async put(sha256, bytes) {
      // An upload that a server kept half of is sent again.
      if ((await lengthOf(sha256)) === bytes.length) return
      const content = { Body: bytes, ContentLength: bytes.length, ContentType: 'application/octet-stream' }
      await client.send(new PutObjectCommand({ ...placeOf(sha256), ...content }))
    },
    async get(sha256) {
      const place = placeOf(sha256)
      try {
        const { Body } = await client.send(new GetObjectCommand(place))
        return verified(sha256, Buffer.from((await Body?.transformToByteArray()) ?? []))
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') throw new Error(`file ${sha256} is missing`, { cause: error })
        throw error
      }
    },
    async range(sha256, { from, to }) {
      const { Body } = await client.send(new GetObjectCommand({ ...placeOf(sha256), Range: `bytes=${from}-${to}` }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },
    async remove(sha256) {
      await client.send(new DeleteObjectCommand(placeOf(sha256)))
    },
    close: () => client.destroy(),
  }
}

/** Errors never contain the URL: it may hold a secret by mistake. */
function readS3Url(text: string): S3Place {
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

/** The HTTP status of a refusal by S3 as text; empty when there was no answer. */
function statusOf(error: unknown): string {
  if (!(error instanceof Error) || !('$metadata' in error)) return ''
  const metadata: unknown = error.$metadata
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? String(metadata.httpStatusCode) : ''
}
