import { setTimeout as delay } from 'node:timers/promises'
import { pauseAfter } from '../retry.ts'
import { CLOCKS, type KurrentClocks } from './clocks.ts'
import { readConnection, UnusableConnection, type Connection } from './connection-string.ts'
import { codeOf, isNotLeader, passes, STATUS } from './faults.ts'
import { connectKurrent, type KurrentClient } from './kurrent-client.ts'
import { kurrentEventStore, type KurrentEventStore } from './kurrent-event-store.ts'

/**
 * Connects to KurrentDB and reads the log once. Waits five seconds for a server that is starting.
 * @throws {UnusableConnection} that says in one line what is wrong, without the password
 */
export async function openKurrentEventStore(url: string, clocks: KurrentClocks = CLOCKS): Promise<KurrentEventStore> {
  const connection = readConnection(url, clocks)
  const client = connected(connection, clocks)
  const fault = await firstAnswer(client, clocks.startMs)
  if (fault === null) return kurrentEventStore(client, clocks)
  await client.dispose()
  throw new UnusableConnection(await explain(fault, connection, clocks))
}

function connected(connection: Connection, clocks: KurrentClocks): KurrentClient {
  try {
    return connectKurrent(connection, clocks)
  } catch {
    // The client's own message may repeat the connection string.
    throw new UnusableConnection('is not a KurrentDB connection string')
  }
}

/** Null as soon as the server answers; else the error that lasts, or the last one when the time is over. */
async function firstAnswer(client: KurrentClient, ms: number): Promise<unknown> {
  const until = Date.now() + ms
  for (let failures = 0; ; failures++) {
    try {
      await client.ping()
      return null
    } catch (error) {
      if (!passes(error) || lasts(error) || Date.now() >= until) return error
      await delay(Math.min(pauseAfter(failures), Math.max(0, until - Date.now())))
    }
  }
}

const UNTRUSTED = /self-signed certificate|unable to (?:verify|get)|certificate has expired|unknown ca/i
const OTHER_HOST = /does not match certificate's altnames/i
const NAMES = /cert's (?:altnames|list): *(?<names>.*?)[. ]*(?:Resolution note.*)?$/
const UNRESOLVED = /Name resolution failed|ENOTFOUND|EAI_AGAIN/
const REFUSED = /ECONNREFUSED/
const WITHOUT_TLS = /wrong version number|packet length too long|EPROTO/i

/** No later attempt can succeed. */
const lasts = (error: unknown): boolean => {
  const text = messageOf(error)
  return UNTRUSTED.test(text) || OTHER_HOST.test(text) || WITHOUT_TLS.test(text)
}

/** Advice for an operator, in one line. */
async function explain(fault: unknown, connection: Connection, clocks: KurrentClocks): Promise<string> {
  const { hosts, hasTls } = connection
  if (codeOf(fault) === STATUS.UNAUTHENTICATED) return 'KurrentDB answers, and refuses this user or password'
  if (codeOf(fault) === STATUS.PERMISSION_DENIED)
    return 'KurrentDB answers, and this user has no right to read $all; docs/extensions.md, "KurrentDB", shows how to grant it'
  // The client does not report why discovery failed, so each node is pinged separately.
  if (hosts.length > 1 || !connection.string.startsWith('esdb:')) {
    const [first = '', ...others] = await Promise.all(hosts.map((host) => explainNode(host, connection, clocks)))
    return others.every((other) => other === NO_LEADER) && first === NO_LEADER
      ? `the nodes ${hosts.join(', ')} answer, but no leader can be reached; the addresses that they advertise must be reachable from here`
      : [first, ...others].filter((text) => text !== NO_LEADER).join('; ')
  }
  return explainCause(fault, hosts[0] ?? '', hasTls)
}

const NO_LEADER = ''

async function explainNode(host: string, connection: Connection, clocks: KurrentClocks): Promise<string> {
  const client = connected({ ...connection, string: connection.to(host) }, clocks)
  try {
    await client.ping()
    return NO_LEADER
  } catch (error) {
    // A follower: it answers.
    if (isNotLeader(error)) return NO_LEADER
    return explainCause(error, host, connection.hasTls)
  } finally {
    await client.dispose()
  }
}

function explainCause(error: unknown, host: string, hasTls: boolean): string {
  const text = messageOf(error)
  const name = host.replace(/:\d+$/, '')
  if (OTHER_HOST.test(text)) {
    const names = NAMES.exec(text)?.groups?.['names'] ?? ''
    return `the certificate of ${host} is for ${names === '' ? 'other names' : names}, not for ${name}`
  }
  if (UNTRUSTED.test(text)) return `the certificate of ${host} is not trusted; name the file of its CA with tlsCAFile`
  if (UNRESOLVED.test(text)) return `the name ${name} does not resolve`
  if (REFUSED.test(text)) return `connection refused by ${host}`
  if (WITHOUT_TLS.test(text))
    return `${host} does not support TLS; add tls=false to the connection string, or enable TLS on the server`
  if (!passes(error)) return `KurrentDB at ${host} refuses to be read (${codeOf(error) ?? 'no code'})`
  if (codeOf(error) === STATUS.UNAVAILABLE && !hasTls)
    return `${host} closes the connection; the server may require TLS: remove tls=false from the connection string`
  if (codeOf(error) === STATUS.UNAVAILABLE) return `${host} closes the connection`
  return `${host} did not answer in 5 s`
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
