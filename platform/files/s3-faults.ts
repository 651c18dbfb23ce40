import type { S3Place } from './s3-url.ts'

/** Refusals that every call would get, until an operator changes something. */
const REFUSES_ALL =
  /^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken|UserSuspended|NoSuchBucket|PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/

/** The HTTP status of an answer of S3; null when none came. */
export function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null
  const metadata: unknown = error.$metadata
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : null
  return typeof status === 'number' ? status : null
}

/** Whether no answer came: no connection, no credentials, a time-out, or a connection that broke during an answer. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError || statusOf(error) !== null)
    return false
  return 'code' in error || /^(AbortError|TimeoutError|CredentialsProviderError)$/.test(error.name)
}

/** Whether the same call may succeed when it is sent again. The SDK corrects its clock after RequestTimeTooSkewed. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error)
  if (status === null) return isUnanswered(error) && nameOf(error) !== 'CredentialsProviderError'
  return status >= 500 || status === 429 || /^(RequestTimeout|RequestTimeTooSkewed)$/.test(nameOf(error))
}

/** Whether the store is away, or would refuse every call. A call that takes too long, such as a large upload, fails alone. */
export const isAbsence = (error: unknown): boolean =>
  (isUnanswered(error) && nameOf(error) !== 'AbortError') || REFUSES_ALL.test(nameOf(error))

/** Whether the store answered that it cannot do this now. */
export const isBusy = (error: unknown): boolean => statusOf(error) === 403 || isTransient(error)

/** Cause of an error, to complete "FILE_STORE_URL: …". Never repeats text of the server, which may name the key. */
export function causeOf(error: unknown, { bucket, endpoint }: S3Place): string {
  const host = endpoint === null ? 'S3' : new URL(endpoint).host
  const status = statusOf(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const cause = CAUSES.find(([names]) => names.test(status === null && code !== '' ? code : nameOf(error)))?.[1]
  if (cause !== undefined) return cause({ host, bucket, region: regionOf(error) })
  if (status !== null && status >= 500) return `${host} answers with an error (HTTP ${status})`
  return `what answers at ${host} is not an S3 store that can be used`
}

type Words = { readonly host: string; readonly bucket: string; readonly region: string | null }
const CAUSES: readonly (readonly [RegExp, (words: Words) => string])[] = [
  [/^ECONNREFUSED$/, ({ host }) => `${host} refuses the connection`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, ({ host }) => `the host of ${host} is unknown`],
  [/ALTNAME/, ({ host }) => `the certificate of ${host} is for another name`],
  [/CERT|SELF_SIGNED|UNABLE_TO/, ({ host }) => `the certificate of ${host} is not trusted; name its CA in NODE_EXTRA_CA_CERTS`],
  [/^(EPROTO|ERR_SSL)/, ({ host }) => `${host} does not speak TLS at this port; use http://`],
  [/^(ETIMEDOUT|TimeoutError|AbortError)$/, ({ host }) => `${host} gave no answer in time`],
  [/^(EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE)$/, ({ host }) => `${host} cannot be reached`],
  [/^CredentialsProviderError$/, () => 'no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
  [/^(InvalidAccessKeyId|InvalidToken|ExpiredToken)$/, ({ host }) => `${host} does not accept this access key`],
  [/^SignatureDoesNotMatch$/, ({ host }) => `${host} does not accept the secret of this access key`],
  [/^UserSuspended$/, ({ host }) => `${host} has suspended the user of this access key`],
  [/^RequestTimeTooSkewed$/, ({ host }) => `the clocks of this machine and ${host} differ too much`],
  [/^NoSuchBucket$/, ({ host, bucket }) => `${host} has no such bucket (${bucket})`],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    ({ bucket, region }) =>
      `the bucket ${bucket} is in another region; set ${region === null ? 'its region' : `region=${region}`} in the URL`,
  ],
  [/^(AccessDenied|Forbidden)$/, ({ bucket }) => `this access key has no right to read and write files in the bucket ${bucket}`],
]

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

/** The region in which S3 says that the bucket is. */
function regionOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const named: unknown = 'Region' in error ? error.Region : null
  const response: unknown = '$response' in error ? error.$response : null
  const headers: unknown = typeof response === 'object' && response !== null && 'headers' in response ? response.headers : null
  const header: unknown =
    typeof headers === 'object' && headers !== null && 'x-amz-bucket-region' in headers ? headers['x-amz-bucket-region'] : null
  const region = named ?? header
  return typeof region === 'string' && /^[a-z0-9-]+$/.test(region) ? region : null
}
