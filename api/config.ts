import { ConfigFault } from '#commands/config-fault'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseIpRange } from '#domain/kit/ip-range'
import { isEmail } from '#domain/kit/validators'
import type { SecurityReceiver } from '#commands/identity/forward-security-events'
import type { Witness } from '#commands/audit/witnesses'
import { readFactsUrl } from '#factstore/clickhouse/facts-url'
import { readVerifierKey, type Verifier } from '#proof/log/offline-verifier'
import type { LaneSizes } from '#platform/database/lanes'
import type { SamplerName, Sampling } from '#platform/telemetry/collector'
import { documentationFolder } from './documentation-folder.ts'
import { refuseUnencoded, refuseUnknown } from './setting-names.ts'
import { z } from './http/zod.ts'

/** The environment (running.md), validated at start: a wrong value stops the start with one clear line. */

const flag = z.pipe(
  z.enum(['1', '0', 'true', 'false', 'on', 'off']),
  z.transform((text) => ['1', 'true', 'on'].includes(text)),
)
const blank = <T extends z.ZodMiniType>(schema: T) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' ? undefined : value)),
    z.optional(schema),
  )
/** At least 32 bytes as text: base64url, base64 or hex all hold no more than 6 bits per character. */
const SECRET_LENGTH = 43

/** How long something is kept, at least so many days. */
const days = (least: number) => z.coerce.number().check(z.int(), z.gte(least), z.lte(36_500))

/** Size of a pool. */
const connections = z.coerce.number().check(z.int(), z.gte(2), z.lte(200))

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const satisfies readonly SamplerName[]

const environment = z.object({
  PORT: blank(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535))),
  HOST: blank(z.string()),
  PLACARD_DATA_DIR: blank(z.string()),
  DATABASE_URL: blank(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'))),
  PLACARD_PG_ARCHIVE: blank(z.string().check(z.regex(/^[^\n\r]+$/, 'is a folder'))),
  EVENT_STORE_URL: blank(
    z.string().check(z.regex(/^(esdb|kurrentdb)(\+discover)?:\/\//, 'must start with esdb:// or kurrentdb://')),
  ),
  FACTS_URL: blank(z.string()),
  PLACARD_POOL_CALLS: blank(connections),
  PLACARD_POOL_REPORTS: blank(connections),
  PLACARD_POOL_PROJECTOR: blank(connections),
  PLACARD_POOL_POLICIES: blank(connections),
  PLACARD_ROLE: blank(z.enum(['all', 'api', 'projector', 'policies'])),
  PLACARD_DEMO: blank(flag),
  PLACARD_DEMO_DELIVERY: blank(flag),
  PLACARD_UNSAFE_DATABASE: blank(flag),
  PLACARD_CLOCK_OFFSET: blank(z.coerce.number().check(z.int())),
  PLACARD_AUDIO_ADS: blank(flag),
  PLACARD_CHECK_ADDRESSES: blank(z.enum(['off', 'public', 'any'])),
  PLACARD_DOCUMENTATION: blank(z.string()),
  PLACARD_EXCHANGE_REVIEW: blank(z.enum(['instant', 'external'])),
  PLACARD_SETTLE_SECONDS: blank(z.coerce.number().check(z.gte(0), z.lte(3600))),
  PLACARD_CHARGE_DAYS: blank(days(7)),
  PLACARD_BATCH_DAYS: blank(days(30)),
  PLACARD_FACT_MONTHS: blank(z.coerce.number().check(z.int(), z.gte(13))),
  PLACARD_REJECTED_ROW_DAYS: blank(days(1)),
  PLACARD_SECURITY_EVENT_DAYS: blank(days(91)),
  PLACARD_SERVICE_TOKEN: blank(z.string().check(z.minLength(32, 'needs at least 32 random characters'))),
  PLACARD_SIGNING_KEY: blank(z.string()),
  PLACARD_DATA_KEY: blank(z.string()),
  PLACARD_TRUST_PROXY: blank(z.string()),
  PLACARD_PUBLIC_URL: blank(z.string()),
  PLACARD_CONTENT_ORIGIN: blank(z.string()),
  FILE_STORE_URL: blank(z.string()),
  PLACARD_LOG_ORIGIN: blank(
    z.string().check(z.regex(/^[^\s+]+$/, 'has no space and no plus, such as ads.example/log'), z.maxLength(200)),
  ),
  PLACARD_LOG_KEY: blank(z.string()),
  PLACARD_WITNESS_URLS: blank(z.string()),
  PLACARD_WEBHOOK_PRIVATE: blank(flag),
  PLACARD_SIGN_ON_PRIVATE: blank(flag),
  SMTP_URL: blank(z.string()),
  STRIPE_SECRET_KEY: blank(
    z.string().check(z.regex(/^(sk|rk)_\w+$/, 'expected a secret key of Stripe, which starts with sk_ or rk_')),
  ),
  STRIPE_WEBHOOK_SECRET: blank(
    z.string().check(z.regex(/^whsec_\S+$/, 'expected the secret of a webhook, which starts with whsec_')),
  ),
  STRIPE_PUBLISHABLE_KEY: blank(
    z.string().check(z.regex(/^pk_\w+$/, 'expected a publishable key of Stripe, which starts with pk_')),
  ),
  STRIPE_API_URL: blank(z.string()),
  OTEL_EXPORTER_OTLP_ENDPOINT: blank(z.string()),
  OTEL_EXPORTER_OTLP_HEADERS: blank(z.string()),
  OTEL_SERVICE_NAME: blank(z.string().check(z.maxLength(200))),
  OTEL_TRACES_SAMPLER: blank(z.enum(SAMPLERS)),
  OTEL_TRACES_SAMPLER_ARG: blank(z.coerce.number().check(z.gte(0), z.lte(1))),
  OTEL_METRIC_EXPORT_INTERVAL: blank(z.coerce.number().check(z.int(), z.gte(1000), z.lte(3_600_000))),
  PLACARD_SYSLOG_URL: blank(z.string()),
  PLACARD_REQUEST_LOG: blank(z.string().check(z.regex(/^(off|[01]|0?\.\d+|1\.0+)$/, 'is a share from 0 to 1, or off'))),
  PLACARD_SLOW_MS: blank(z.coerce.number().check(z.int(), z.gte(1), z.lte(600_000))),
  LOG_LEVEL: blank(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])),
})

export type Config = {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** Folder of the embedded database's WAL archive; null: there is none. */
  readonly archive: string | null
  /** Connection string of KurrentDB; null: events live in PostgreSQL. */
  readonly eventStoreUrl: string | null
  /** Connection string of ClickHouse; null: delivered facts are in PostgreSQL. */
  readonly factsUrl: string | null
  readonly role: 'all' | 'api' | 'projector' | 'policies'
  readonly pools: Pools
  readonly demo: boolean
  /** Whether the demo's campaigns are delivered: 90 days at the first start, and on while the product runs. */
  readonly demoDelivery: boolean
  /** Start on a PostgreSQL that may lose acknowledged writes: for tests and throw-away environments. */
  readonly unsafeDatabase: boolean
  /** Seconds added to the clock of the whole product. */
  readonly clockOffset: number
  /** Whether campaigns may be audio: depends on the countries and exchanges that this installation serves. */
  readonly audioAds: boolean
  /** Where addresses of submissions are fetched from for moderators. */
  readonly addressChecks: 'off' | 'public' | 'any'
  /** Folder of the documentation site; null: it was not built, or is not served. */
  readonly documentation: string | null
  readonly exchangeReview: 'instant' | 'external'
  /** How long charges for delivery are gathered before the ledgers record them, milliseconds. */
  readonly settleEveryMs: number
  readonly kept: Kept
  readonly serviceToken: string | null
  /** Keys of access tokens, 32 bytes or more each: the first signs, all verify. Empty: generated keys in PostgreSQL. */
  readonly signingKeys: readonly Uint8Array[]
  /**
   * Keys under which stored keys and personal columns are sealed, 32 bytes each, or the aws-kms:// URL of one that AWS KMS opens: the first
   * seals, all open. Empty for none.
   */
  readonly dataKeys: readonly (Uint8Array | string)[]
  /** Proxies in front of the product: their number, or their addresses as CIDRs. Null: none is trusted. */
  readonly trustProxy: number | readonly string[] | null
  /** Origin under which browsers reach the application, e.g. `https://ads.example`; null when it is not known. */
  readonly publicOrigin: string | null
  /** Origin that serves user content, and nothing else; null: the application's own. */
  readonly contentOrigin: string | null
  readonly transparency: TransparencyConfig
  /** Whether webhooks may reach private networks, and be plain http. */
  readonly webhookPrivate: boolean
  /** Whether identity providers of white-labels may be in private networks, and be plain http. */
  readonly signOnPrivate: boolean
  /** Where uploaded files are kept: a folder, or an `s3://` URL. */
  readonly fileStore: { readonly kind: 'folder'; readonly path: string } | { readonly kind: 's3'; readonly url: string }
  /** How mails leave: files in a folder, or a mail server. `from` is the sender, an address. */
  readonly mail: MailConfig
  /** Null: the built-in test gateway, which moves no money. */
  readonly stripe: StripeConfig | null
  /** Null: no traces, and metrics are only scraped. */
  readonly otlp: OtlpConfig | null
  /** Receiver of security events; null: they stay in the database and the log. */
  readonly securityReceiver: SecurityReceiver | null
  /** Lines of requests: part of those that neither fail nor take `slowMs`, from 0 to 1. Null: none at all. */
  readonly requestLog: { readonly share: number; readonly slowMs: number } | null
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
}

/** The transparency log of all events. */
export type TransparencyConfig = {
  /** Its name in checkpoints, which it keeps from its first start on; null: a generated one. */
  readonly origin: string | null
  /** Ed25519 private keys, 32 bytes each, which all sign. Empty: generated keys in PostgreSQL. */
  readonly keys: readonly Uint8Array[]
  readonly witnesses: readonly Witness[]
}

/** How long what grows is kept. Null: for ever. */
export type Kept = {
  /** Charges of single batches, which settlements are compared with. */
  readonly chargeDays: number
  /** Ids of batches: a repeat within these days counts once, and older hours are refused. */
  readonly batchDays: number
  /** Rows of facts; sums stay. */
  readonly factMonths: number | null
  /** Which rows of an uploaded audience were rejected. */
  readonly rejectedRowDays: number
  readonly securityEventDays: number | null
}

/** Most connections to PostgreSQL of this process: by purpose, and for keeping read models up to date. */
export type Pools = { readonly work: LaneSizes; readonly projector: number }

export type MailConfig = { readonly from: string } & (
  | { readonly kind: 'outbox'; readonly folder: string }
  | { readonly kind: 'smtp'; readonly url: string }
)

export type StripeConfig = {
  readonly secretKey: string
  readonly webhookSecret: string
  /** For Stripe's script in the browser: without it, users cannot add cards. */
  readonly publishableKey: string | null
  readonly apiUrl: string
}

/** Where traces and metrics go by OTLP/HTTP. */
export type OtlpConfig = {
  /** Without a slash at its end. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly sampling: Sampling
  /** Pause between two pushes of metrics, milliseconds. */
  readonly metricsEveryMs: number
}

/** The settings that this version reads. */
export type SettingName = keyof z.output<typeof environment>

/** Reads the configuration; throws ConfigFault with one line that names the variable and never its value. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  refuseUnknown(env, Object.keys(environment.shape))
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    const first = parsed.error.issues[0]
    throw new ConfigFault(`${first?.path.join('.') ?? 'environment'}: ${first?.message ?? 'is not valid'}`)
  }
  const set = parsed.data
  for (const name of WITH_PASSWORDS) refuseUnencoded(name, set[name])
  const dataDir = resolve(set.PLACARD_DATA_DIR ?? '.placard')
  if (set.PLACARD_PG_ARCHIVE !== undefined && set.DATABASE_URL !== undefined)
    throw new ConfigFault('PLACARD_PG_ARCHIVE: is of the embedded database. Archive the one of DATABASE_URL by its own tools')
  const filesUrl = set.FILE_STORE_URL
  if (filesUrl !== undefined && !/^(file|s3):\/\//.test(filesUrl))
    throw new ConfigFault('FILE_STORE_URL: expected file:// or s3://')
  const host = set.HOST ?? '127.0.0.1'
  const demo = set.PLACARD_DEMO ?? set.DATABASE_URL === undefined
  const trustProxy = trustedProxies(set.PLACARD_TRUST_PROXY)
  if (demo && !isLoopback(host))
    throw new ConfigFault(
      'PLACARD_DEMO: its passwords are public, so it needs a loopback HOST. Set PLACARD_DEMO=off or HOST=127.0.0.1',
    )
  if (demo && trustProxy !== null)
    throw new ConfigFault('PLACARD_DEMO: its passwords are public, so it cannot run behind a proxy. Set PLACARD_DEMO=off')
  const publicOrigin = originOf('PLACARD_PUBLIC_URL', set.PLACARD_PUBLIC_URL)
  const contentOrigin = originOf('PLACARD_CONTENT_ORIGIN', set.PLACARD_CONTENT_ORIGIN)
  if (contentOrigin !== null && contentOrigin === publicOrigin)
    throw new ConfigFault('PLACARD_CONTENT_ORIGIN: must not be the origin of PLACARD_PUBLIC_URL')
  const role = set.PLACARD_ROLE ?? 'all'
  if (role !== 'all' && set.DATABASE_URL === undefined) throw new ConfigFault(`PLACARD_ROLE: ${role} needs DATABASE_URL`)
  const mail = mailOf(set.SMTP_URL, dataDir)
  const real = demo ? settingOfRealUse(set, publicOrigin) : null
  if (real !== null)
    throw new ConfigFault(`PLACARD_DEMO: its passwords are public, so it cannot run with ${real}. Set PLACARD_DEMO=off`)
  if (publicOrigin !== null && !isLoopback(hostIn(publicOrigin)) && set.PLACARD_TRUST_PROXY === undefined)
    throw new ConfigFault(
      'PLACARD_TRUST_PROXY: needed with PLACARD_PUBLIC_URL, since without it every client counts as the proxy. Set its hops or CIDRs, or none where browsers reach this process directly',
    )
  const [stripe, otlp] = [stripeOf(set), otlpOf(set)]
  return {
    port: set.PORT ?? 3000,
    host,
    dataDir,
    databaseUrl: set.DATABASE_URL ?? null,
    archive: set.PLACARD_PG_ARCHIVE === undefined ? null : resolve(set.PLACARD_PG_ARCHIVE),
    eventStoreUrl: set.EVENT_STORE_URL ?? null,
    factsUrl: factsUrlOf(set.FACTS_URL),
    role,
    pools: poolsOf(set, role),
    demo,
    demoDelivery: demo && (set.PLACARD_DEMO_DELIVERY ?? true),
    unsafeDatabase: set.PLACARD_UNSAFE_DATABASE ?? false,
    clockOffset: set.PLACARD_CLOCK_OFFSET ?? 0,
    audioAds: set.PLACARD_AUDIO_ADS ?? true,
    addressChecks: set.PLACARD_CHECK_ADDRESSES ?? 'off',
    documentation: documentationFolder(set.PLACARD_DOCUMENTATION),
    exchangeReview: set.PLACARD_EXCHANGE_REVIEW ?? (demo ? 'instant' : 'external'),
    settleEveryMs: (set.PLACARD_SETTLE_SECONDS ?? 60) * 1000,
    kept: {
      chargeDays: set.PLACARD_CHARGE_DAYS ?? 35,
      batchDays: set.PLACARD_BATCH_DAYS ?? 120,
      factMonths: set.PLACARD_FACT_MONTHS ?? null,
      rejectedRowDays: set.PLACARD_REJECTED_ROW_DAYS ?? 90,
      securityEventDays: set.PLACARD_SECURITY_EVENT_DAYS ?? null,
    },
    serviceToken: set.PLACARD_SERVICE_TOKEN ?? null,
    signingKeys: signingKeys(set.PLACARD_SIGNING_KEY),
    dataKeys: dataKeysOf(set.PLACARD_DATA_KEY),
    trustProxy,
    publicOrigin,
    contentOrigin,
    transparency: {
      origin: set.PLACARD_LOG_ORIGIN ?? (publicOrigin === null ? null : `${new URL(publicOrigin).host}/log`),
      keys: keysOf('PLACARD_LOG_KEY', set.PLACARD_LOG_KEY),
      witnesses: witnessesOf(set.PLACARD_WITNESS_URLS),
    },
    webhookPrivate: set.PLACARD_WEBHOOK_PRIVATE ?? false,
    signOnPrivate: set.PLACARD_SIGN_ON_PRIVATE ?? false,
    fileStore: fileStoreOf(filesUrl, dataDir),
    mail,
    stripe,
    otlp,
    securityReceiver: receiverOf(set.PLACARD_SYSLOG_URL, otlp),
    requestLog:
      set.PLACARD_REQUEST_LOG === 'off'
        ? null
        : { share: Number(set.PLACARD_REQUEST_LOG ?? 0.01), slowMs: set.PLACARD_SLOW_MS ?? 1000 },
    logLevel: set.LOG_LEVEL ?? 'warn',
  }
}

/** The first setting that tells an installation for real users from a trial on one machine (fine print 71); null without one. */
function settingOfRealUse(set: z.output<typeof environment>, publicOrigin: string | null): string | null {
  if (publicOrigin !== null && !isLoopback(hostIn(publicOrigin))) return 'PLACARD_PUBLIC_URL'
  return REAL_USE.find((name) => set[name] !== undefined) ?? null
}

/** Settings whose value may hold a user and a password. */
const WITH_PASSWORDS = ['DATABASE_URL', 'EVENT_STORE_URL', 'FACTS_URL', 'SMTP_URL'] as const

const REAL_USE = ['SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_API_URL'] as const

/** Notices for an operator about a configuration that works, one line each. */
export function notices({ publicOrigin, contentOrigin }: Pick<Config, 'publicOrigin' | 'contentOrigin'>): readonly string[] {
  if (publicOrigin === null || contentOrigin !== null || isLoopback(hostIn(publicOrigin))) return []
  return [
    'PLACARD_CONTENT_ORIGIN is not set: files of users are served from the host of the application. Give them an origin of their own',
  ]
}

/** The host name of an address; of an IPv6 one without brackets. */
const hostIn = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')

/** The text as given, once it can be read; the fault never repeats it. */
function factsUrlOf(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    readFactsUrl(text)
    return text
  } catch (error) {
    throw new ConfigFault(`FACTS_URL: ${error instanceof Error ? error.message : 'is not valid'}`)
  }
}

/** Connections by role: two `api`, two `projector` and one `policies` process stay below the 100 that PostgreSQL grants by default. */
function poolsOf(set: z.output<typeof environment>, role: Config['role']): Pools {
  const reports = set.PLACARD_POOL_REPORTS ?? 3
  const { PLACARD_POOL_CALLS: calls, PLACARD_POOL_PROJECTOR: projector = 4, PLACARD_POOL_POLICIES: policies = 5 } = set
  const work = {
    all: { calls: calls ?? 10, reports, policies },
    api: { calls: calls ?? 6, reports },
    policies: { policies },
    projector: { calls: 2 },
  }[role]
  // Other roles only ask how far the read models are.
  return { work, projector: role === 'all' || role === 'projector' ? projector : 1 }
}

const STRIPE_API_URL = 'https://api.stripe.com'

function stripeOf(set: z.output<typeof environment>): StripeConfig | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = set
  if (secretKey === undefined) {
    // Beside the test gateway they would do nothing.
    const alone = (['STRIPE_WEBHOOK_SECRET', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_API_URL'] as const).find((name) => set[name])
    if (alone !== undefined) throw new ConfigFault(`${alone}: needs STRIPE_SECRET_KEY`)
    return null
  }
  if (webhookSecret === undefined)
    throw new ConfigFault('STRIPE_WEBHOOK_SECRET: needed with STRIPE_SECRET_KEY, to verify the webhooks of Stripe')
  const [mode, publicMode] = [secretKey, set.STRIPE_PUBLISHABLE_KEY].map((key) => /^[a-z]+_(live|test)_/.exec(key ?? '')?.[1])
  if (mode !== undefined && publicMode !== undefined && mode !== publicMode)
    throw new ConfigFault(
      `STRIPE_PUBLISHABLE_KEY: is a ${publicMode} key, and STRIPE_SECRET_KEY a ${mode} one: no card could be added. Take both from one mode`,
    )
  const apiUrl = originOf('STRIPE_API_URL', set.STRIPE_API_URL) ?? STRIPE_API_URL
  return { secretKey, webhookSecret, publishableKey: set.STRIPE_PUBLISHABLE_KEY ?? null, apiUrl }
}

/** The sender of mails that are files. */
const SENDER = 'no-reply@placard.invalid'

/** `smtp://user:password@host:587?from=ads@example.com`, or smtps://; without it mails are files in `outbox`. */
function mailOf(text: string | undefined, dataDir: string): MailConfig {
  if (text === undefined) return { kind: 'outbox', folder: join(dataDir, 'outbox'), from: SENDER }
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new ConfigFault('SMTP_URL: expected smtp://user:password@host:587?from=address, or smtps://')
  const from = url.searchParams.get('from')
  // Servers refuse senders that they do not know, and replies have to arrive somewhere.
  if (from === null) throw new ConfigFault('SMTP_URL: needs the address of the sender, for example ?from=ads@example.com')
  if (!isEmail(from)) throw new ConfigFault('SMTP_URL: from is not an email address')
  url.searchParams.delete('from')
  return { kind: 'smtp', url: url.href, from }
}

function fileStoreOf(url: string | undefined, dataDir: string): Config['fileStore'] {
  if (url === undefined) return { kind: 'folder', path: join(dataDir, 'files') }
  if (url.startsWith('s3://')) return { kind: 's3', url }
  try {
    return { kind: 'folder', path: fileURLToPath(url) }
  } catch {
    throw new ConfigFault('FILE_STORE_URL: file:// needs an absolute path on this machine')
  }
}

/** True for a loopback address. Of names only `localhost` counts: other names may resolve differently later. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  const range = isIP(host) === 0 ? null : parseIpRange(host)
  if (range === null) return false
  return range.family === 6 ? range.from === 1n : range.from >> 24n === 127n
}

/** A number of hops, or CIDRs separated by commas; null for `none` and without a value. */
function trustedProxies(text: string | undefined): Config['trustProxy'] {
  if (text === undefined || text === 'none') return null
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const ranges = text.split(',').map((range) => range.trim())
  // A prefix of 0 would let every client choose its address.
  const wrong = (range: string) => parseIpRange(range) === null || range.includes('-') || range.endsWith('/0')
  if (ranges.some(wrong))
    throw new ConfigFault('PLACARD_TRUST_PROXY: expected a number of hops, CIDRs separated by commas, or none')
  return ranges
}

/** The keys of a comma-separated list. */
function signingKeys(text: string | undefined): readonly Uint8Array[] {
  if (text === undefined) return []
  const keys = text.split(',').map((key) => key.trim())
  if (keys.some((key) => key.length < SECRET_LENGTH || new Set(key).size < 12))
    throw new ConfigFault(
      `PLACARD_SIGNING_KEY: needs at least 32 random bytes, as ${SECRET_LENGTH} characters of base64 or 64 of hex`,
    )
  return keys.map((key) => Buffer.from(key))
}

/** Keys of a comma-separated list, each 32 bytes in base64. */
function keysOf(name: string, text: string | undefined): readonly Uint8Array[] {
  if (text === undefined) return []
  const keys = text.split(',').map((key) => Buffer.from(key.trim(), 'base64'))
  if (keys.some((key) => key.length !== 32 || new Set(key).size < 12))
    throw new ConfigFault(`${name}: needs 32 random bytes in base64, for example from "openssl rand -base64 32"`)
  return keys
}

/** Keys of a comma-separated list, each 32 bytes in base64 or the URL of a key that AWS KMS opens. */
const dataKeysOf = (text: string | undefined): readonly (Uint8Array | string)[] =>
  (text?.split(',') ?? [])
    .map((part) => part.trim())
    .flatMap((part): readonly (Uint8Array | string)[] =>
      part.startsWith('aws-kms:') ? [part] : keysOf('PLACARD_DATA_KEY', part),
    )

/** Headers hold the token of the collector: not over plain http, but to this machine. */
function otlpOf(set: z.output<typeof environment>): OtlpConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: text, OTEL_EXPORTER_OTLP_HEADERS: headers } = set
  if (text === undefined) {
    if (headers !== undefined) throw new ConfigFault('OTEL_EXPORTER_OTLP_HEADERS: needs OTEL_EXPORTER_OTLP_ENDPOINT')
    return null
  }
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new ConfigFault('OTEL_EXPORTER_OTLP_ENDPOINT: expected the base address of OTLP/HTTP, such as http://collector:4318')
  if (headers !== undefined && url.protocol === 'http:' && !isLoopback(hostIn(url.href)))
    throw new ConfigFault('OTEL_EXPORTER_OTLP_HEADERS: needs an https address of the collector, or one on this machine')
  return {
    url: url.href.replace(/\/+$/, ''),
    headers: headersOf(headers),
    serviceName: set.OTEL_SERVICE_NAME ?? 'placard',
    sampling: { sampler: set.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on', ratio: set.OTEL_TRACES_SAMPLER_ARG ?? 1 },
    metricsEveryMs: set.OTEL_METRIC_EXPORT_INTERVAL ?? 60_000,
  }
}

/** `name=value` separated by commas, with values as in URLs. */
function headersOf(text = ''): Readonly<Record<string, string>> {
  const pairs = text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => /^\s*([\w-]+)\s*=\s*([!-~]+)\s*$/.exec(pair)?.slice(1) ?? [])
  try {
    if (pairs.every((pair) => pair.length === 2))
      return Object.fromEntries(pairs.map(([name = '', value = '']) => [name.toLowerCase(), decodeURIComponent(value)]))
  } catch {
    // A broken escape, as any other form that is not read.
  }
  throw new ConfigFault('OTEL_EXPORTER_OTLP_HEADERS: expected name=value separated by commas, with values as in URLs')
}

const SYSLOG_PORTS: Readonly<Record<string, number>> = { 'syslog+tls:': 6514, 'syslog:': 601 }

/** Without TLS only to this machine: security events name people. */
function receiverOf(text: string | undefined, otlp: OtlpConfig | null): SecurityReceiver | null {
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol)) return otlpReceiverOf(url, otlp)
  const usual = SYSLOG_PORTS[url?.protocol ?? '']
  const tls = url?.protocol === 'syslog+tls:'
  const isBare = url !== null && url.hostname !== '' && /^\/?$/.test(url.pathname) && url.search === '' && url.username === ''
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? ''
  if (usual === undefined || !isBare || (!tls && !isLoopback(host)))
    throw new ConfigFault('PLACARD_SYSLOG_URL: expected syslog+tls://host:6514, or syslog://127.0.0.1:601 on this machine')
  return { kind: 'syslog', host, port: Number(url?.port || usual), tls }
}

/** An endpoint of OTLP/HTTP logs. The token of the collector goes to no other host than the collector's. */
function otlpReceiverOf(url: URL, otlp: OtlpConfig | null): SecurityReceiver {
  const secure = url.protocol === 'https:' || isLoopback(hostIn(url.href))
  if (!secure || url.pathname === '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new ConfigFault(
      'PLACARD_SYSLOG_URL: expected https://host/v1/logs, the address of OTLP/HTTP logs, or http:// on this machine',
    )
  const isCollector = otlp !== null && new URL(otlp.url).origin === url.origin
  return { kind: 'otlp', url: url.href, headers: isCollector ? otlp.headers : {} }
}

/** Submission prefixes separated by spaces, each with the key of its witness after `#`. */
function witnessesOf(text: string | undefined): readonly Witness[] {
  const witnesses = (text ?? '')
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part): Witness => {
      const [address = '', ...key] = part.split('#')
      const url = URL.canParse(address) ? new URL(address) : null
      const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(hostIn(url.href)))
      if (url === null || !secure || url.search !== '' || url.username !== '')
        throw new ConfigFault('PLACARD_WITNESS_URLS: expected https://witness.example/prefix#name+id+key, separated by spaces')
      return { url: url.href.replace(/\/$/, ''), key: witnessKeyOf(key.join('#')) }
    })
  if (new Set(witnesses.map(({ key }) => key.name)).size < witnesses.length)
    throw new ConfigFault('PLACARD_WITNESS_URLS: names a witness twice')
  return witnesses
}

/** Without the key of its witness, a cosignature proves nothing and has to be ignored. */
function witnessKeyOf(text: string): Verifier {
  const fault = new ConfigFault(
    'PLACARD_WITNESS_URLS: each needs the key of the witness, after #, as name+id+key of a cosignature key',
  )
  try {
    const key = readVerifierKey(text)
    if (key.kind === 'witness') return key
  } catch {
    throw fault
  }
  throw fault
}

/** An origin (scheme, host, port): https, or http on loopback. */
function originOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(hostIn(url.href)))
  const bare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (!secure || !bare) throw new ConfigFault(`${name}: expected an origin like https://ads.example, or http:// on loopback`)
  return url.origin
}
