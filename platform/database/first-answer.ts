import { ConfigFault } from '#commands/config-fault'
import { Client, DatabaseError } from 'pg'
import { READ_COMMITTED } from '#eventstore/postgres/isolation'

/** A server that does not answer for this long stops the start, milliseconds. */
const WITHIN_MS = 5000

/** Asks PostgreSQL once. Throws ConfigFault with one line, which never holds the URL, when it cannot be used. */
export async function firstAnswer(url: string): Promise<void> {
  let late: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new NoAnswer()), WITHIN_MS)
  })
  let client: Client | null = null
  try {
    client = sessionOf(url)
    // The connection may break after this has given it up.
    client.on('error', () => {})
    await Promise.race([ask(client, url), limit])
  } catch (error) {
    throw new ConfigFault(`DATABASE_URL: ${causeOf(error, url)}`)
  } finally {
    clearTimeout(late)
    // Not awaited: a server that froze would not answer.
    void client?.end().catch(() => undefined)
  }
}

/** With settings of the session, as every connection of the product has them. */
const sessionOf = (url: string): Client =>
  new Client({ connectionString: url, application_name: 'placard-start', statement_timeout: WITHIN_MS, options: READ_COMMITTED })

async function ask(client: Client, url: string): Promise<void> {
  await client.connect()
  const { rows } = await client.query<{ usable: boolean }>(
    "select to_regnamespace('es') is not null or has_database_privilege(current_database(), 'create') as usable",
  )
  if (rows[0]?.usable !== true) throw new NoRight()
  await refuseSharedSessions(client, url)
}

/** A pooler that shares sessions gives the one that this client used last to the next client. */
async function refuseSharedSessions(client: Client, url: string): Promise<void> {
  const pidOf = async (one: Client) => (await one.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const first = await pidOf(client)
  const other = sessionOf(url)
  other.on('error', () => {})
  try {
    await other.connect()
    if ((await pidOf(other)) === first) throw new SharedSessions()
  } finally {
    void other.end().catch(() => undefined)
  }
}

class NoAnswer extends Error {}
class NoRight extends Error {}
class SharedSessions extends Error {}

const POOLER = 'needs a direct connection, or a pooler in session mode'

function causeOf(error: unknown, url: string): string {
  if (!URL.canParse(url)) return 'is not a URL that can be read; special characters in a password must be percent-encoded'
  const host = (URL.canParse(url) && new URL(url).host) || 'PostgreSQL'
  if (error instanceof NoAnswer) return `no answer in ${WITHIN_MS / 1000} s`
  if (error instanceof NoRight) return 'the user has no right to create schemas in this database'
  if (error instanceof SharedSessions) return `the pooler at ${host} shares sessions (transaction mode): Placard ${POOLER}`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open')
    return 'a file that sslrootcert, sslcert or sslkey names cannot be read'
  const cause = CAUSES.find(([codes]) => codes.test(code))?.[1]
  if (cause !== undefined) return cause(host)
  if (error instanceof DatabaseError) return `PostgreSQL refuses the connection (${code})`
  const message = error instanceof Error ? error.message : ''
  if (message.includes('does not support SSL')) return `${host} does not speak TLS; leave out sslmode, or set sslmode=disable`
  if (message.startsWith('SASL')) return REFUSED_USER
  return `what answers at ${host} is not a PostgreSQL that can be used`
}

const REFUSED_USER = 'PostgreSQL does not accept this user and password'
const CAUSES: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/^ECONNREFUSED$/, (host) => `${host} refuses the connection`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, (host) => `the host of ${host} is unknown`],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, (host) => `${host} cannot be reached`],
  [/ALTNAME/, (host) => `the certificate of ${host} is for another name`],
  [/CERT|SELF_SIGNED|UNABLE_TO/, (host) => `the certificate of ${host} is not trusted; name its CA with sslrootcert`],
  [
    /^08P01$/,
    (host) =>
      `the pooler at ${host} refuses settings of a session: Placard ${POOLER} with ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options`,
  ],
  [/^28P01$/, () => REFUSED_USER],
  [/^28000$/, () => 'PostgreSQL does not admit this user from here (pg_hba.conf)'],
  [/^3D000$/, () => 'PostgreSQL has no such database'],
  [/^42501$/, () => 'the user has no right to connect to this database'],
  [/^53300$/, () => 'PostgreSQL has no free connection'],
  [/^57P03$/, () => 'PostgreSQL is starting or stopping'],
]
