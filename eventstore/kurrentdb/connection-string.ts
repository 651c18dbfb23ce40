import type { Credentials } from '@eventstore/db-client'
import { existsSync, readFileSync } from 'node:fs'
import type { KurrentClocks } from './clocks.ts'

/** A connection string that cannot be used. The message says why in one line, without the string, which has a password in it. */
export class UnusableConnection extends Error {}

export type Connection = {
  /** As @eventstore/db-client takes it, with the product's defaults. */
  readonly string: string
  /** Null without TLS and without credentials: such a server asks for none. */
  readonly credentials: Credentials | null
  readonly hasTls: boolean
  /** `host:port` of each node that it names. */
  readonly hosts: readonly string[]
  /** The same connection to one of its hosts alone. */
  readonly to: (host: string) => string
}

const SHAPE = /^(?:esdb|kurrentdb)(\+discover)?:\/\/(?:([^:@/]+):([^@/]*)@)?([^/?]+)\/?(?:\?(.*))?$/
/** Options that the client knows. It would ignore the others, with a warning that repeats the connection string. */
const OPTIONS = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'throwOnAppendFailure',
  'tls',
  'tlsCAFile',
  'tlsVerifyCert',
  'userCertFile',
  'userKeyFile',
]
/** The client ignores case and these signs in names of options. */
const plain = (name: string): string => name.trim().toLowerCase().replaceAll(/[_-]/g, '')
const KNOWN = new Set(OPTIONS.map(plain))
const DEFAULT_PORT = 2113

/** Reads a connection string. @throws {UnusableConnection} */
export function readConnection(url: string, clocks: KurrentClocks): Connection {
  const [, discover = '', user, password = '', places = '', query = ''] = SHAPE.exec(url.trim()) ?? []
  if (places === '') throw new UnusableConnection('is not a KurrentDB connection string')
  const options = new Map(query.split('&').flatMap((pair) => (pair === '' ? [] : [splitPair(pair)])))
  refuseUnusable(options)
  const hasTls = options.get('tls')?.toLowerCase() !== 'false'
  if (hasTls && user === undefined) throw new UnusableConnection('KurrentDB over TLS requires a user and a password')
  const defaults = [
    ['keepAliveInterval', clocks.keepAliveIntervalMs],
    ['keepAliveTimeout', clocks.keepAliveTimeoutMs],
    // Seconds, and the client takes whole ones only.
    ['gossipTimeout', clocks.gossipTimeoutSeconds],
  ] as const
  const added = defaults.filter(([name]) => !options.has(plain(name))).map(([name, value]) => `${name}=${value}`)
  const queryString = [...(query === '' ? [] : [query]), ...added].join('&')
  const login = user === undefined ? '' : `${user}:${password}@`
  return {
    string: `esdb${discover}://${login}${places}?${queryString}`,
    credentials: user === undefined ? null : { username: decoded(user), password: decoded(password) },
    hasTls,
    hosts: places.split(',').map((place) => (place.includes(':') ? place : `${place}:${DEFAULT_PORT}`)),
    to: (host) => `esdb://${login}${host}?${queryString}`,
  }
}

function splitPair(pair: string): readonly [string, string] {
  const [name = '', ...value] = pair.split('=')
  return [plain(name), value.join('=').trim()]
}

function refuseUnusable(options: ReadonlyMap<string, string>): void {
  for (const name of options.keys())
    if (!KNOWN.has(name)) throw new UnusableConnection(`has an unknown option, ${name}; known are ${OPTIONS.join(', ')}`)
  if (options.get(plain('tlsVerifyCert'))?.toLowerCase() === 'false')
    throw new UnusableConnection('tlsVerifyCert=false is not supported; name the file of the CA with tlsCAFile')
  for (const name of ['tlsCAFile', 'userCertFile', 'userKeyFile']) {
    const path = options.get(plain(name))
    if (path === undefined) continue
    if (!existsSync(decoded(path))) throw new UnusableConnection(`the file of ${name} is not there: ${decoded(path)}`)
    if (!readFileSync(decoded(path), 'latin1').includes('-----BEGIN '))
      throw new UnusableConnection(`the file of ${name} is not in PEM format: ${decoded(path)}`)
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new UnusableConnection('is not a KurrentDB connection string')
  }
}
