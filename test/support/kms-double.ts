import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'

const ACCESS = { id: 'AKIAPLACARDTEST', secret: 'secret of the double' }
const REGION = 'eu-west-1'

type Context = Readonly<Record<string, string>>
type Asked = {
  readonly KeyId: string
  readonly NumberOfBytes?: number
  readonly CiphertextBlob?: string
  readonly EncryptionContext?: Context
}

/** AWS KMS in this process, as far as Placard uses it: it makes and opens data keys for signed requests. */
export type KmsDouble = {
  /** Its key as a URL without a data key. */
  readonly url: string
  /** A second key of the same account. */
  readonly otherUrl: string
  /** The operations that were carried out. */
  readonly done: readonly string[]
  /** A URL with a data key that was made with another context. */
  readonly foreignUrl: () => string
  /** `refusing` denies every call, `broken` answers with an error of the server. */
  mode: 'up' | 'refusing' | 'broken'
  readonly stop: () => Promise<void>
}

/** Starts it, and gives this process the credentials that it accepts. */
export async function startKmsDouble(): Promise<KmsDouble> {
  const keys = new Map(['alias/placard', 'alias/other'].map((name) => [name, randomBytes(32)]))
  const done: string[] = []

  function seal(name: string, plain: Buffer, context: Context): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', keys.get(name) ?? '', nonce).setAAD(aadOf(name, context))
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
  }
  function open(name: string, blob: string, context: Context): Buffer {
    const bytes = Buffer.from(blob, 'base64')
    const cipher = createDecipheriv('aes-256-gcm', keys.get(name) ?? '', bytes.subarray(0, 12))
    cipher.setAAD(aadOf(name, context)).setAuthTag(bytes.subarray(-16))
    return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()])
  }

  function answer(operation: string, { KeyId: name, NumberOfBytes, CiphertextBlob = '', EncryptionContext = {} }: Asked): object {
    if (!keys.has(name)) throw new Refusal('NotFoundException')
    done.push(operation)
    if (operation === 'GenerateDataKeyWithoutPlaintext')
      return { KeyId: name, CiphertextBlob: seal(name, randomBytes(NumberOfBytes ?? 0), EncryptionContext) }
    if (operation !== 'Decrypt') throw new Refusal('UnknownOperationException')
    try {
      return { KeyId: name, Plaintext: open(name, CiphertextBlob, EncryptionContext).toString('base64') }
    } catch {
      throw new Refusal('InvalidCiphertextException')
    }
  }

  const server = createServer((request, reply) => void respondTo(request, reply))
  async function respondTo(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const respond = (status: number, content: object): void =>
      void reply.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(content))
    try {
      if (double.mode === 'refusing') throw new Refusal('AccessDeniedException')
      if (double.mode === 'broken') return respond(500, { __type: 'KMSInternalException' })
      if (!isSigned(request, body)) throw new Refusal('InvalidSignatureException')
      const operation = String(request.headers['x-amz-target']).replace('TrentService.', '')
      respond(200, answer(operation, JSON.parse(body.toString()) as Asked))
    } catch (error) {
      respond(400, {
        __type: error instanceof Refusal ? error.message : 'ValidationException',
        message: 'secret text of the server',
      })
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const urlOf = (name: string) => `aws-kms://${REGION}/${name}?endpoint=http://127.0.0.1:${port}`
  vi.stubEnv('AWS_ACCESS_KEY_ID', ACCESS.id)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', ACCESS.secret)
  const double: KmsDouble = {
    url: urlOf('alias/placard'),
    otherUrl: urlOf('alias/other'),
    done,
    foreignUrl: () => `${urlOf('alias/placard')}#${seal('alias/placard', randomBytes(32), { application: 'another' })}`,
    mode: 'up',
    stop: async () => {
      vi.unstubAllEnvs()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

class Refusal extends Error {}

const aadOf = (name: string, context: Context): Buffer =>
  Buffer.from(JSON.stringify([name, Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))]))

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** Whether a request has the right signature of AWS, version 4, over its body and the headers that decide what it does. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const said =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    )
  const [, id, day = '', region = '', names = '', signature] = said ?? []
  const signed = names.split(';')
  if (id !== ACCESS.id || region !== REGION || !['host', 'x-amz-date', 'x-amz-target'].every((name) => signed.includes(name)))
    return false
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const canonical = [method, url, '', lines, names, sha256(body)].join('\n')
  const scope = `${day}/${region}/kms/aws4_request`
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n')
  const key = [day, region, 'kms', 'aws4_request'].reduce<string | Buffer>(
    (last, part) => hmac(last, part),
    `AWS4${ACCESS.secret}`,
  )
  return hmac(key, text).toString('hex') === signature
}
