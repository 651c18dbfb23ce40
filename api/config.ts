import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from './zod.ts'

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
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

const environment = z.object({
  PORT: blank(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535))),
  HOST: blank(z.string()),
  NODE_ENV: blank(z.string()),
  PLACARD_DATA_DIR: blank(z.string()),
  DATABASE_URL: blank(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'))),
  EVENT_STORE_URL: blank(
    z.string().check(z.regex(/^(esdb|kurrentdb)(\+discover)?:\/\//, 'must start with esdb:// or kurrentdb://')),
  ),
  PLACARD_ROLE: blank(z.enum(['all', 'api', 'projector', 'policies'])),
  PLACARD_DEMO: blank(flag),
  PLACARD_UNSAFE_DATABASE: blank(flag),
  PLACARD_CLOCK_OFFSET: blank(z.coerce.number().check(z.int())),
  PLACARD_EXCHANGE_REVIEW: blank(z.enum(['instant', 'external'])),
  PLACARD_SERVICE_TOKEN: blank(z.string().check(z.minLength(16, 'needs at least 16 characters'))),
  FILE_STORE_URL: blank(z.string()),
  SMTP_URL: blank(z.string()),
  STRIPE_SECRET_KEY: blank(z.string()),
  OTEL_EXPORTER_OTLP_ENDPOINT: blank(z.string()),
  LOG_LEVEL: blank(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])),
})

export type Config = {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** Connection string of KurrentDB; null: events live in PostgreSQL. */
  readonly eventStoreUrl: string | null
  readonly role: 'all' | 'api' | 'projector' | 'policies'
  readonly demo: boolean
  /** Start on a PostgreSQL that may lose what it acknowledged: for tests and throw-away environments. */
  readonly unsafeDatabase: boolean
  /** Seconds added to the clock of the whole product. */
  readonly clockOffset: number
  readonly exchangeReview: 'instant' | 'external'
  readonly serviceToken: string | null
  /** Where uploaded files are kept: a folder, or an `s3://` URL. */
  readonly fileStore: { readonly kind: 'folder'; readonly path: string } | { readonly kind: 's3'; readonly url: string }
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
}

/** A configuration that cannot be used; the message is the line to print. */
export class ConfigFault extends Error {}

/** Settings whose backing service this version does not carry yet: refused rather than silently ignored. */
const NOT_YET = ['SMTP_URL', 'STRIPE_SECRET_KEY', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const

/** Reads the configuration; throws ConfigFault with one line that names the variable and never its value. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    const first = parsed.error.issues[0]
    throw new ConfigFault(`${first?.path.join('.') ?? 'environment'}: ${first?.message ?? 'is not valid'}`)
  }
  const set = parsed.data
  for (const name of NOT_YET) if (set[name] !== undefined) throw new ConfigFault(`${name}: is not supported in this version`)
  const dataDir = resolve(set.PLACARD_DATA_DIR ?? '.placard')
  const filesUrl = set.FILE_STORE_URL
  if (filesUrl !== undefined && !/^(file|s3):\/\//.test(filesUrl))
    throw new ConfigFault('FILE_STORE_URL: expected file:// or s3://')
  const host = set.HOST ?? '127.0.0.1'
  const demo = set.PLACARD_DEMO ?? set.DATABASE_URL === undefined
  if (demo && set.NODE_ENV === 'production' && !LOOPBACK.includes(host))
    throw new ConfigFault('PLACARD_DEMO: its passwords are public, so with NODE_ENV=production it needs a loopback HOST')
  const role = set.PLACARD_ROLE ?? 'all'
  if (role !== 'all' && set.DATABASE_URL === undefined) throw new ConfigFault(`PLACARD_ROLE: ${role} needs DATABASE_URL`)
  return {
    port: set.PORT ?? 3000,
    host,
    dataDir,
    databaseUrl: set.DATABASE_URL ?? null,
    eventStoreUrl: set.EVENT_STORE_URL ?? null,
    role,
    demo,
    unsafeDatabase: set.PLACARD_UNSAFE_DATABASE ?? false,
    clockOffset: set.PLACARD_CLOCK_OFFSET ?? 0,
    exchangeReview: set.PLACARD_EXCHANGE_REVIEW ?? (demo ? 'instant' : 'external'),
    serviceToken: set.PLACARD_SERVICE_TOKEN ?? null,
    fileStore: fileStoreOf(filesUrl, dataDir),
    logLevel: set.LOG_LEVEL ?? 'warn',
  }
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
