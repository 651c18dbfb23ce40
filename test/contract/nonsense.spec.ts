import { once } from 'node:events'
import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openClickHouse } from '#factstore/clickhouse/clickhouse'
import { askWitness } from '#platform/audit/witness-client'
import { createWebhookClient } from '#platform/audit/webhook-client'
import { createS3Files } from '#platform/files/s3-files'
import { makeKmsUrl, openDataKey } from '#platform/identity/kms-keys'
import { createSmtpMailer } from '#platform/mail/smtp-mailer'
import { createGuardedFetch } from '#platform/outgoing/guarded-fetch'
import { createStripeGateway } from '#platform/payment/stripe-gateway'
import { createOpenId } from '#platform/single-sign-on/open-id'
import { createDroppedSpans } from '#platform/telemetry/dropped-spans'
import { postOtlp } from '#platform/telemetry/post-otlp'
import { createTracing } from '#platform/telemetry/tracing'
import { S3_CREDENTIALS, useCredentials } from '../support/s3-server.ts'
import { hashOf } from './blob-store.contract.ts'

/** An answer with status 200 that is none of the service, as a proxy in front of it gives. */
type Nonsense = { readonly type?: string; readonly body: string | Buffer; readonly cut?: boolean; readonly status?: number }

const NONSENSE: Readonly<Record<string, Nonsense>> = {
  'nothing at all': { body: '' },
  'a page of HTML': { type: 'text/html', body: '<html>proxy error</html>' },
  'JSON of another shape': { type: 'application/json', body: '{"hello":["world"],"data":7,"error":"x"}' },
  'JSON of another object': { type: 'application/json', body: '{"object":"coupon","id":"x"}' },
  'a text as JSON': { type: 'application/json', body: '"text"' },
  'null as JSON': { type: 'application/json', body: 'null' },
  'a list as JSON': { type: 'application/json', body: '[]' },
  'half of an answer': { type: 'application/json', body: '{"object":"customer","id":"cus_', cut: true },
  'half of a JSON text': { type: 'application/json', body: '{"object":"customer","id":"cus_' },
  'ten megabytes': { type: 'application/json', body: Buffer.alloc(10 * 2 ** 20, 'x') },
  'another charset': { type: 'application/json; charset=utf-16', body: Buffer.from('\ufeff{"object":"customer"}', 'utf16le') },
  'a status that HTTP does not have': { status: 999, body: 'no' },
}

let now: Nonsense = { body: '' }
let http: Server
let smtp: ReturnType<typeof createServer>
let base = ''
let mail = ''

function answer(response: ServerResponse): void {
  const { type, body, cut = false, status = 200 } = now
  const length = Buffer.byteLength(body) + (cut ? 1000 : 0)
  response.writeHead(status, { ...(type === undefined ? {} : { 'content-type': type }), 'content-length': length })
  response.write(body, () => cut && response.destroy())
  if (!cut) response.end()
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

beforeAll(async () => {
  useCredentials(S3_CREDENTIALS)
  http = createHttpServer((request, response) => {
    request.resume()
    request.on('end', () => answer(response))
    request.on('error', () => undefined)
    response.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  // Instead of a greeting; a server that says no more leaves.
  smtp = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.end(now.body)
  }).listen(0, '127.0.0.1')
  await Promise.all([once(http, 'listening'), once(smtp, 'listening')])
  base = `http://127.0.0.1:${portOf(http)}`
  mail = `smtp://127.0.0.1:${portOf(smtp)}`
})
afterAll(async () => {
  http.closeAllConnections()
  await Promise.all([http, smtp].map((server) => new Promise((resolve) => server.close(resolve))))
  vi.unstubAllEnvs()
})

const bytes = Buffer.from('a picture')
const sha256 = hashOf(bytes)
const never = new AbortController().signal
const PAYMENT = { paymentId: 'p', customerId: 'cus_1', methodId: 'pm_1', amount: 5_000_000, currency: 'USD' }
const PROVIDER = { id: 'p', version: '1', issuer: '', clientId: 'c', clientSecret: 's' }
const MAIL = { from: 'ads@example.com', to: 'ada@example.com', subject: 'Hi', text: 'Hi', html: '<p>Hi</p>' }

const stripe = () => createStripeGateway({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', publishableKey: null, apiUrl: base })
const s3 = () => createS3Files(`s3://bucket?endpoint=${base}`)
const openId = () => createOpenId({ fetch: createGuardedFetch({ allowPrivate: true }), allowHttp: true })
const kmsUrl = () => `aws-kms://us-east-1/alias/placard?endpoint=${base}`
const clickHouse = () => openClickHouse(`${base.replace('//', '//ads:secret@')}/facts`)
async function traced() {
  const logger = { error: () => undefined, warn: () => undefined }
  const collector = { url: base, headers: {}, resource: {} }
  const { tracer, stop } = createTracing({
    collector,
    sampling: { sampler: 'always_on', ratio: 1 },
    logger,
    dropped: createDroppedSpans(),
  } as never)
  await tracer.span({ name: 'tried' }, async () => undefined)
  await stop()
}
async function all<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}

/** `error`: nothing of this can be taken for an answer. `either`: some of it is one, such as any 200 to a webhook. */
const CALLS: readonly (readonly [name: string, outcome: 'error' | 'either', call: () => Promise<unknown>])[] = [
  ['Stripe: a question whether it is there', 'error', () => stripe().ping()],
  ['Stripe: a new customer', 'error', () => stripe().createCustomer('space')],
  ['Stripe: a new setup', 'error', () => stripe().startSetup('cus_1')],
  ['Stripe: a new payment', 'error', () => stripe().open(PAYMENT)],
  ['Stripe: a confirmation', 'error', () => stripe().confirm({ ...PAYMENT, providerId: 'pi_1', offSession: false })],
  ['Stripe: a payment', 'error', () => stripe().read('pi_1')],
  ['Stripe: an end of a payment', 'error', () => stripe().cancel('pi_1')],
  ['S3: a file', 'error', async () => (await s3()).get(sha256)],
  ['S3: a part of a file', 'either', async () => (await s3()).range(sha256, { from: 0, to: 8 })],
  ['S3: a length', 'either', async () => (await s3()).length(sha256)],
  ['S3: a new file', 'either', async () => (await s3()).put(sha256, bytes)],
  ['S3: a question whether it is there', 'either', async () => (await s3()).ping()],
  ['SMTP: a mail', 'error', () => createSmtpMailer(mail).send(MAIL as never)],
  ['SMTP: a question whether it is there', 'error', () => createSmtpMailer(mail).ping()],
  [
    'OpenID Connect: a sign-in',
    'error',
    () =>
      openId().authorizationUrl({ ...PROVIDER, issuer: base } as never, `${base}/back`, {
        state: 's',
        nonce: 'n',
        verifier: 'v'.repeat(43),
      }),
  ],
  ['KMS: a data key', 'error', () => openDataKey([`${kmsUrl()}#${Buffer.alloc(60, 1).toString('base64')}`])],
  ['KMS: a new data key', 'error', () => makeKmsUrl(kmsUrl())],
  ['ClickHouse: a query', 'error', () => clickHouse().query('select 1')],
  ['ClickHouse: a stream', 'error', () => all(clickHouse().stream('select 1'))],
  ['ClickHouse: an insert', 'error', () => clickHouse().insert('rows', [{ a: 1 }], 'token')],
  ['ClickHouse: a statement', 'error', () => clickHouse().run('create table t (a Int8) engine Memory')],
  ['ClickHouse: a question whether it is there', 'either', () => clickHouse().ping()],
  [
    'a webhook',
    'either',
    () =>
      createWebhookClient({ allowPrivate: true })(
        base,
        { id: 'm', body: '{}' },
        ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
        never,
      ),
  ],
  ['a collector of traces', 'either', traced],
  ['a collector of OTLP', 'either', () => postOtlp({ url: base, headers: {} }, {}, 10_000)],
  ['a witness', 'either', () => askWitness(base, 'checkpoint', never)],
  ['a page that a moderator asks for', 'either', () => createGuardedFetch({ allowPrivate: true, headersOnly: true })(base)],
]

describe.each(Object.entries(NONSENSE))('%s instead of an answer', (name, nonsense) => {
  beforeEach(() => {
    now = nonsense
  })

  // A failure outside of every promise would end the process, and fails this run.
  it.each(CALLS)('an answer of nonsense is a value or an error of %s (%s)', async (_, outcome, call) => {
    const settled = await call().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if ('error' in settled) expect(settled.error).toBeInstanceOf(Error)
    else expect([name, outcome]).toEqual([name, 'either'])
  })
})

it('a receiver of OTLP that answers null has taken everything', async () => {
  now = NONSENSE['null as JSON'] ?? now
  expect(await postOtlp({ url: base, headers: {} }, {}, 10_000)).toEqual({})
})
