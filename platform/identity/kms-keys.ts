import { ConfigFault } from '#commands/config-fault'
import { createDataKey, DATA_KEY_BYTES, type DataKey } from './data-key.ts'

/** Longest time to connect to KMS, and longest silence of an open connection, milliseconds. */
const SILENCE_MS = 2500
const ATTEMPTS = 3

/** KMS opens a key with this context alone: nothing that the same KMS key sealed for another program passes for a data key. */
const CONTEXT = { application: 'placard', purpose: 'data-key' } as const

/** `alias/…`, the id or the ARN of a key. */
const KEY_NAME = /^[\w:/-]{1,2048}$/
const REGION = /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/
const BASE64 = /^[A-Za-z0-9+/]{40,8000}={0,2}$/

/** A key of KMS, and the data key that is sealed under it. */
export type KmsKey = {
  readonly region: string
  readonly name: string
  /** An origin instead of the region's own, such as that of a private endpoint; null for that. */
  readonly endpoint: string | null
  /** Null before one is made. */
  readonly sealed: Uint8Array | null
}

/**
 * Reads `aws-kms://<region>/<alias/name, id or ARN>[?endpoint=<origin>]#<sealed data key in base64>`. Throws a ConfigFault that does not
 * repeat it.
 */
export function readKmsUrl(text: string): KmsKey {
  const url = URL.canParse(text) ? new URL(text) : null
  const name = decodeURIComponent(url?.pathname.slice(1) ?? '')
  const endpoint = url?.searchParams.get('endpoint') ?? null
  const isForm =
    url?.protocol === 'aws-kms:' &&
    url.username === '' &&
    url.port === '' &&
    REGION.test(url.hostname) &&
    KEY_NAME.test(name) &&
    [...url.searchParams.keys()].every((key) => key === 'endpoint') &&
    (endpoint === null || isOrigin(endpoint)) &&
    (url.hash === '' || BASE64.test(url.hash.slice(1)))
  if (!isForm)
    throw new ConfigFault(
      'PLACARD_DATA_KEY: a key of AWS KMS looks like aws-kms://eu-west-1/alias/placard#… and is made by "npm run data-key -- --kms aws-kms://eu-west-1/alias/placard"',
    )
  return {
    region: url.hostname,
    name,
    endpoint,
    sealed: url.hash === '' ? null : Buffer.from(url.hash.slice(1), 'base64'),
  }
}

/**
 * The data key of PLACARD_DATA_KEY, whose parts are 32 bytes or URLs of keys that KMS opens. The first seals, all open. Throws a
 * ConfigFault that names the key of KMS that cannot be used, and never a secret.
 */
export const openDataKey = async (parts: readonly (Uint8Array | string)[]): Promise<DataKey> =>
  createDataKey(await Promise.all(parts.map(async (part) => (typeof part === 'string' ? openedByKms(readKmsUrl(part)) : part))))

async function openedByKms(key: KmsKey): Promise<Uint8Array> {
  const { sealed } = key
  if (sealed === null)
    throw new ConfigFault(`${titleOf(key)}: the URL has no data key after #. Make one with "npm run data-key -- --kms <URL>"`)
  const { client, commands } = await openKms(key)
  try {
    const decrypt = new commands.DecryptCommand({ KeyId: key.name, CiphertextBlob: sealed, EncryptionContext: CONTEXT })
    const { Plaintext: opened } = await client.send(decrypt)
    if (opened?.length !== DATA_KEY_BYTES) throw new ConfigFault(`${titleOf(key)}: what is sealed after # is no key of 32 bytes`)
    return opened
  } catch (error) {
    throw faultOf(key, error)
  } finally {
    client.destroy()
  }
}

/** Lets KMS make a data key, and returns its URL. The key itself stays in KMS until a process opens it. */
export async function makeKmsUrl(text: string): Promise<string> {
  const key = readKmsUrl(text)
  const { client, commands } = await openKms(key)
  try {
    const make = new commands.GenerateDataKeyWithoutPlaintextCommand({
      KeyId: key.name,
      NumberOfBytes: DATA_KEY_BYTES,
      EncryptionContext: CONTEXT,
    })
    const { CiphertextBlob: sealed = new Uint8Array() } = await client.send(make)
    if (sealed.length < DATA_KEY_BYTES) throw new ConfigFault(`${titleOf(key)}: KMS answers without a data key`)
    return `${text.replace(/#.*$/, '')}#${Buffer.from(sealed).toString('base64')}`
  } catch (error) {
    throw faultOf(key, error)
  } finally {
    client.destroy()
  }
}

/** A client of the SDK, which is loaded here, so that products without KMS do not load it. Credentials come from its usual sources. */
async function openKms({ region, endpoint }: KmsKey) {
  // Its seven lines about Node.js 20: the start has one of its own.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const commands = await import('@aws-sdk/client-kms')
  const client = new commands.KMSClient({
    region,
    ...(endpoint !== null && { endpoint }),
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
  })
  return { client, commands }
}

const titleOf = ({ region, name }: KmsKey): string => `PLACARD_DATA_KEY: the key ${name} of AWS KMS in ${region}`

/** Fault that an operator has to mend. Never repeats texts of the server. */
function faultOf(key: KmsKey, error: unknown): ConfigFault {
  if (error instanceof ConfigFault) return error
  const { name = '', code = '' } = error instanceof Error ? (error as Error & { readonly code?: string }) : {}
  const cause = CAUSES.find(([names]) => names.test(code) || names.test(name))?.[1]
  return new ConfigFault(`${titleOf(key)}: ${cause ?? `KMS answers ${/^\w{1,80}$/.test(name) ? name : 'with an error'}`}`)
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /^CredentialsProviderError$/,
    'this machine has no credentials of AWS. Give it a role, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  [
    /^(InvalidSignature|UnrecognizedClient|InvalidClientTokenId|ExpiredToken|IncompleteSignature|MissingAuthenticationToken)/,
    'KMS does not accept the credentials of this machine',
  ],
  [
    /^AccessDenied/,
    'the credentials of this machine may not use it. Allow kms:Decrypt, and kms:GenerateDataKeyWithoutPlaintext to make one',
  ],
  [/^(IncorrectKey|InvalidCiphertext)/, 'the data key after # was not made by this key for Placard'],
  [/^NotFound/, 'KMS has no such key'],
  [/^(Disabled|KMSInvalidState)/, 'the key is disabled or will be deleted'],
  [/CERT|SELF_SIGNED|UNABLE_TO/, 'the certificate of KMS is not trusted. Name its CA in NODE_EXTRA_CA_CERTS'],
  [
    /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|TimeoutError|AbortError|KMSInternal|DependencyTimeout|Throttling)/,
    'KMS cannot be reached, or does not answer in time. Start again once it does',
  ],
]

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}
