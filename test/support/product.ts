import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { hash } from '@node-rs/argon2'
import sharp from 'sharp'
import { inject } from 'vitest'
import { startProduct, type StartOptions } from '#api/compose'
import { readConfig, type SettingName } from '#api/config'
import { DELIVERED, demoConfig } from './demo-config.ts'
import { createTemplate, createTestDatabase, runOn, type TestDatabase } from './database.ts'
import { heldBack, MOST_LAG_MS } from './held-back.ts'
import { demoTemplateOf } from './database-url.ts'

/** The whole product with its demo on its own database, called over HTTP. */
export type TestProduct = {
  readonly base: string
  readonly dataDir: string
  /** Its database, for direct queries. */
  readonly database: TestDatabase
  readonly as: (email: string) => Promise<Session>
  /** The number of stored files, and of events but those of policies, which may happen at any time. */
  readonly stored: () => Promise<{ readonly events: number; readonly files: number }>
  /** Resolves when every policy has scanned, and carried out what it found, since the call. */
  readonly swept: () => Promise<void>
  readonly stop: () => Promise<void>
}

export type Answer<T> = {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data: T
  readonly headers: Headers
}
export type Session = {
  readonly token: string
  readonly call: <T = Campaignish>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>
}
/** Fields of most answers; tests declare those that they read. */
export type Campaignish = {
  readonly id: string
  readonly name: string
  readonly status_key: number
  readonly status_reasons: readonly { readonly key: string; readonly actor: string; readonly remedy: string | null }[]
  readonly revision: number
  readonly position: string
  readonly budget: number | null
  readonly moderation_start_at: string
  readonly need_moderation: boolean
  readonly errors: readonly { readonly path: string; readonly code: number; readonly message: string; readonly tab?: string }[]
}

export const PASSWORD = 'Placard#2026'

/** With one of these the demo is stored elsewhere, at another time, or not at all: it is not cloned, but filled by the start. */
const ELSEWHERE = [
  'DATABASE_URL',
  'EVENT_STORE_URL',
  'FILE_STORE_URL',
  'PLACARD_CLOCK_OFFSET',
  'PLACARD_DATA_DIR',
  'PLACARD_DEMO',
]

const SETTINGS = {
  PLACARD_DEMO: 'on',
  PLACARD_DEMO_DELIVERY: 'off',
  PLACARD_UNSAFE_DATABASE: 'on',
  // A connection costs PostgreSQL forty milliseconds of a core: half of those that a server opens.
  PLACARD_POOL_CALLS: '5',
  PORT: '0',
  LOG_LEVEL: 'error',
}

/** A name that is no setting would be ignored: the compiler refuses it. */
export type Settings = { readonly [name in SettingName]?: string }

export async function startTestProduct(env: Settings = {}, options: StartOptions = {}): Promise<TestProduct> {
  await stopShared()
  const demo = ELSEWHERE.some((name) => name in env) ? null : await demoTemplate()
  const database = await createTestDatabase(demo?.template)
  const dataDir = await mkdtemp(join(demoTemplateOf(inject('postgresTemplate')).files, 'product-'))
  if (demo !== null) await cp(demo.dataDir, dataDir, { recursive: true })
  const config = demoConfig({ ...SETTINGS, DATABASE_URL: database.url, PLACARD_DATA_DIR: dataDir, ...env })
  const rounds = new Map<string, number>()
  const onRound = (sweep: string) => void rounds.set(sweep, (rounds.get(sweep) ?? 0) + 1)
  const product = await startProduct(config, { ...heldBack(), demoFilled: demo !== null, onRound, ...options })
  const base = product.address ?? ''
  const sessions = new Map<string, Promise<Session>>()
  /** A file may take longer than a proof holds (fine print 83), which step-up.spec.ts tests with sessions of its own. */
  const signInForLong = async (email: string) => {
    const session = await signIn(base, email)
    await database.pool.query(
      `update identity.session_families f set proved_at = f.proved_at + interval '1 day'
       from identity.people p where p.id = f.person_id and p.email = $1`,
      [email],
    )
    return session
  }
  return {
    base,
    dataDir,
    database,
    as: (email) => {
      const known = sessions.get(email) ?? signInForLong(email)
      sessions.set(email, known)
      return known
    },
    stored: async () => {
      const { rows } = await database.pool.query<{ events: number; files: number }>(
        `select (select count(*)::int from es.events where metadata ->> 'source' <> 'policy') as events,
          (select count(*)::int from app.files) as files`,
      )
      return rows[0] ?? { events: -1, files: -1 }
    },
    swept: async () => {
      const before = new Map(rounds)
      await eventually(
        async () => [...rounds].map(([sweep, count]) => count - (before.get(sweep) ?? 0)),
        // The round that is under way may have scanned before.
        (more) => more.length > 0 && Math.min(...more) >= 2,
      )
    },
    stop: async () => {
      await product.stop()
      await database.drop()
      // Data that the product derives once, such as the list of cities, may still be written.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** The product that the files of this worker share now: an idle one takes a tenth of a core, so it is one at a time. */
let shared: { readonly review: Review; readonly product: TestProduct } | null = null
type Review = 'instant' | 'external'

/**
 * A product that takes deliveries and settles at once, for every file of the worker whose exchanges decide so. It has what the files before
 * have made: count only your own. It is not stopped: its database and files go with the run.
 */
export async function sharedProduct(review: Review = 'instant'): Promise<TestProduct> {
  if (shared?.review !== review) {
    const product = await startTestProduct({ ...DELIVERED, PLACARD_EXCHANGE_REVIEW: review })
    shared = { review, product }
  }
  return shared.product
}

async function stopShared(): Promise<void> {
  const last = shared?.product
  shared = null
  await last?.stop()
}

/** The database of the demo without a product: nothing else reads or writes it. */
export const demoDatabase = async (): Promise<TestDatabase> => createTestDatabase((await demoTemplate()).template)

/** The demo as the first start of this run filled it, without what policies do later: a fill takes two seconds of a core. */
async function demoTemplate() {
  const { template, files } = demoTemplateOf(inject('postgresTemplate'))
  const dataDir = join(files, 'demo')
  await createTemplate(template, async (url) => {
    await rm(dataDir, { recursive: true, force: true })
    const settings = { ...SETTINGS, DATABASE_URL: url, PLACARD_DATA_DIR: dataDir, PLACARD_ROLE: 'projector' }
    const product = await startProduct(readConfig(settings))
    await product.stop()
    await runOn(url, 'alter table identity.people disable trigger user')
    await runOn(url, 'update identity.people set password_hash = $1 where demo', [await hash(PASSWORD, QUICK)])
    await runOn(url, 'alter table identity.people enable trigger user')
  })
  return { template, dataDir }
}

/** A real hash takes a tenth of a second of a core in each sign-in, and its strength is the same in every test. */
const QUICK = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export async function signIn(base: string, email: string): Promise<Session> {
  const body = new URLSearchParams({ grant_type: 'password', username: email, password: PASSWORD })
  const response = await fetch(`${base}/v1/oauth/token`, { method: 'POST', body })
  const { data }: { data: { access_token: string } } = await response.json()
  return sessionOf(base, data.access_token)
}

export const sessionOf = (base: string, token: string): Session => {
  // Reads its own writes, like the SPA.
  let position = '0'
  return {
    token,
    call: async (method, path, body, headers = {}) => {
      const send = () =>
        fetch(base + path, {
          method,
          headers: {
            ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }),
            'x-position': position,
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        })
      let response = await send()
      // Where read models are held back, calls are refused until they have caught up, and clients retry.
      for (const end = Date.now() + 5 * MOST_LAG_MS; response.status === 503 && Date.now() < end;) response = await send()
      const envelope = await response.json()
      const reached = response.headers.get('x-position')
      if (reached !== null && BigInt(reached) > BigInt(position)) position = reached
      return {
        status: response.status,
        code: envelope.type?.code,
        message: envelope.type?.message,
        data: envelope.data,
        headers: response.headers,
      }
    },
  }
}

/** A valid PNG of one colour. */
export const png = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#2563eb' } })
    .png()
    .toBuffer()

type Uploaded = { readonly file_id: string; readonly file_url: string; readonly [key: string]: unknown }

/** Sends one file as multipart to any path. */
export async function sendFile(base: string, token: string, path: string, bytes: Uint8Array, name = 'file.bin', field = 'file') {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(bytes)]), name)
  const response = await fetch(base + path, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form })
  const envelope = await response.json()
  const data: Uploaded & { readonly errors: Campaignish['errors'] } = envelope.data
  return { status: response.status, code: envelope.type.code as number, data, message: envelope.type.message as string }
}

export const upload = (base: string, token: string, bytes: Uint8Array, width: number, height: number, name = 'banner.png') =>
  sendFile(base, token, `/v1/file/upload2?width=${width}&height=${height}`, bytes, name)

let made = 0
/** A publishable body: one 300x250 banner, a budget, a landing page. */
export async function publishable(base: string, session: Session, over: Record<string, unknown> = {}) {
  const file = await upload(base, session.token, await png(300, 250), 300, 250)
  made += 1
  return {
    name: `Campaign ${made} of ${process.pid}`,
    country: 'EG',
    budget: 50,
    product_url: 'https://nile.example/landing',
    bidding_strategy: { type: 'awareness' },
    visuals: {
      banners: [{ width: 300, height: 250, file_id: file.data.file_id, url: file.data.file_url, creative_name: 'main_banner' }],
    },
    ...over,
  }
}

/** Polls until the answer satisfies the condition and returns it; throws after `ms` with the last answer. */
export async function eventually<T>(ask: () => Promise<T>, satisfied: (answer: T) => boolean, ms = 120_000): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const answer = await ask()
    if (satisfied(answer)) return answer
    if (Date.now() > end) throw new Error(`not within ${ms} ms; last seen: ${inspect(answer, { depth: 4 })}`)
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}
