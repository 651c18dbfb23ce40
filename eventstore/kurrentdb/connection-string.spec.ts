import { describe, expect, it } from 'vitest'
import { CLOCKS } from './clocks.ts'
import { readConnection } from './connection-string.ts'

const read = (url: string) => readConnection(url, CLOCKS)

describe('a connection string of KurrentDB', () => {
  it('gives up a frozen node after three seconds, unless it says otherwise', () => {
    expect(read('kurrentdb://h:1?tls=false').string).toBe(
      'esdb://h:1?tls=false&keepAliveInterval=1000&keepAliveTimeout=2000&gossipTimeout=1',
    )
    expect(read('esdb://h:1/?tls=false&keep-alive-interval=-1&KeepAliveTimeout=5000&gossipTimeout=3').string).toBe(
      'esdb://h:1?tls=false&keep-alive-interval=-1&KeepAliveTimeout=5000&gossipTimeout=3',
    )
  })

  it('keeps its credentials, and the hosts of a cluster', () => {
    const cluster = read('kurrentdb+discover://ada:p%40ss@a,b:2,c:3?connectionName=x')
    expect(cluster).toMatchObject({
      credentials: { username: 'ada', password: 'p@ss' },
      hasTls: true,
      hosts: ['a:2113', 'b:2', 'c:3'],
    })
    expect(cluster.string).toMatch(/^esdb\+discover:\/\/ada:p%40ss@a,b:2,c:3\?connectionName=x&/)
    expect(cluster.to('b:2')).toMatch(/^esdb:\/\/ada:p%40ss@b:2\?connectionName=x&/)
  })

  it.each([
    ['kurrentdb://', 'is not a KurrentDB connection string'],
    ['kurrentdb://a:%zz@h', 'is not a KurrentDB connection string'],
    ['kurrentdb://h', 'KurrentDB over TLS requires a user and a password'],
    ['esdb://h?tls=true', 'KurrentDB over TLS requires a user and a password'],
    ['esdb://a:secret@h?tlsVerifyCert=false', 'tlsVerifyCert=false is not supported; name the file of the CA with tlsCAFile'],
    ['esdb://a:secret@h?tlsCAFile=/none/ca.crt', 'the file of tlsCAFile is not there: /none/ca.crt'],
    ['esdb://a:secret@h?tlsCAFile=package.json', 'the file of tlsCAFile is not in PEM format: package.json'],
    ['esdb://a:secret@h?keepalive=1', /^has an unknown option, keepalive; known are connectionName, /],
  ])('%s is refused with the reason, without the password', (url, reason) => {
    expect(() => read(url)).toThrow(reason)
    expect(() => read(url)).not.toThrow(/secret/)
  })
})
