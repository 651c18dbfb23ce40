import { ConfigFault } from '#commands/config-fault'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { notices, readConfig } from './config.ts'

const fault = (env: Record<string, string>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return error instanceof ConfigFault ? error.message : String(error)
  }
}

const SERVED = { PLACARD_DEMO: 'off', PLACARD_PUBLIC_URL: 'https://ads.example', PLACARD_TRUST_PROXY: 'none' }

describe('configuration', () => {
  it('uses the embedded database, loopback, the demo and built-in exchanges by default', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      demo: true,
      role: 'all',
      audioAds: true,
      exchangeReview: 'instant',
      databaseUrl: null,
    })
  })

  it('disables the demo and the built-in exchanges when DATABASE_URL is set', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://u:p@h/d' })).toMatchObject({ demo: false, exchangeReview: 'external' })
    expect(readConfig({ PLACARD_AUDIO_ADS: 'off' })).toMatchObject({ audioAds: false })
  })

  it('reads name, keys and witnesses of the transparency log', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64')
    const witness = 'https://witness.example/log#witness.example/w1+7a4d5d1e+BAAB'
    expect(readConfig({}).transparency).toEqual({ origin: null, keys: [], witnesses: [] })
    const set = { ...SERVED, PLACARD_LOG_KEY: `${key},${key}` }
    expect(readConfig(set).transparency).toMatchObject({ origin: 'ads.example/log', keys: [{ length: 32 }, { length: 32 }] })
    expect(readConfig({ ...set, PLACARD_LOG_ORIGIN: 'other.example/l' }).transparency.origin).toBe('other.example/l')
    expect(fault({ PLACARD_LOG_ORIGIN: 'two words' })).toContain('PLACARD_LOG_ORIGIN: has no space')
    expect(fault({ PLACARD_LOG_KEY: 'c2hvcnQ=' })).toContain('PLACARD_LOG_KEY: needs 32 random bytes')
    expect(fault({ PLACARD_LOG_KEY: Buffer.alloc(32).toString('base64') })).toContain('PLACARD_LOG_KEY: needs 32 random bytes')
    for (const url of [witness, 'https://witness.example'])
      expect(fault({ PLACARD_WITNESS_URLS: url })).toContain('PLACARD_WITNESS_URLS: each needs the key of the witness')
    for (const url of ['http://witness.example#k', 'witness.example#k', 'https://u:p@witness.example#k'])
      expect(fault({ PLACARD_WITNESS_URLS: url })).toContain('PLACARD_WITNESS_URLS: expected https://')
  })

  // covers FP-82
  it('sends security events to a receiver over TLS, and without it to this machine alone', () => {
    expect(readConfig({}).securityReceiver).toBeNull()
    const of = (url: string) => readConfig({ PLACARD_SYSLOG_URL: url }).securityReceiver
    expect(of('syslog+tls://siem.example')).toEqual({ kind: 'syslog', host: 'siem.example', port: 6514, tls: true })
    expect(of('syslog+tls://[2001:db8::1]:7000/')).toEqual({ kind: 'syslog', host: '2001:db8::1', port: 7000, tls: true })
    expect(of('syslog://127.0.0.1:1601')).toEqual({ kind: 'syslog', host: '127.0.0.1', port: 1601, tls: false })
    for (const wrong of [
      'siem.example:6514',
      'syslog://siem.example',
      'https://siem.example',
      'syslog+tls://siem.example/path',
      'syslog+tls://',
    ])
      expect(fault({ PLACARD_SYSLOG_URL: wrong }), wrong).toMatch(/^PLACARD_SYSLOG_URL: expected (syslog|https)/)
  })

  // covers FP-82
  it('sends security events to an endpoint of OTLP logs, with the headers of the collector on its own host alone', () => {
    const of = (url: string, set: Record<string, string> = {}) => readConfig({ PLACARD_SYSLOG_URL: url, ...set }).securityReceiver
    expect(of('https://siem.example/v1/logs')).toEqual({ kind: 'otlp', url: 'https://siem.example/v1/logs', headers: {} })
    expect(of('http://127.0.0.1:4318/v1/logs')).toMatchObject({ kind: 'otlp' })
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret' }
    expect(of('https://otlp.example/v1/logs', collector)).toMatchObject({ headers: { 'x-key': 'secret' } })
    expect(of('https://siem.example/v1/logs', collector)).toMatchObject({ headers: {} })
    expect(of('https://otlp.example:444/v1/logs', collector)).toMatchObject({ headers: {} })
    for (const wrong of [
      'http://siem.example/v1/logs',
      'https://siem.example',
      'https://u:p@siem.example/v1/logs',
      'https://s.example/l?k=1',
    ])
      expect(fault({ PLACARD_SYSLOG_URL: wrong }), wrong).toMatch(/^PLACARD_SYSLOG_URL: expected https/)
  })

  it('sends traces to a collector, with the token in its headers over TLS or to this machine alone', () => {
    expect(readConfig({ OTEL_SERVICE_NAME: 'ads' }).otlp).toBeNull()
    const of = (set: Record<string, string>) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', ...set }).otlp
    expect(of({})).toEqual({
      url: 'http://collector:4318',
      headers: {},
      serviceName: 'placard',
      sampling: { sampler: 'parentbased_always_on', ratio: 1 },
      metricsEveryMs: 60_000,
    })
    expect(
      of({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/tenant/',
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20a%2Cb, x-tenant=7',
        OTEL_SERVICE_NAME: 'ads',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.1',
        OTEL_METRIC_EXPORT_INTERVAL: '15000',
      }),
    ).toEqual({
      url: 'https://otlp.example/tenant',
      headers: { authorization: 'Basic a,b', 'x-tenant': '7' },
      serviceName: 'ads',
      sampling: { sampler: 'traceidratio', ratio: 0.1 },
      metricsEveryMs: 15_000,
    })
    expect(of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })?.headers).toEqual({
      a: 'b',
    })
    for (const wrong of ['collector:4318', 'grpc://collector:4317', 'http://u:p@collector', 'http://collector/?key=1'])
      expect(fault({ OTEL_EXPORTER_OTLP_ENDPOINT: wrong }), wrong).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT: expected/)
    const secure = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example' }
    for (const wrong of ['token', 'a=%zz', 'a b=c', '=x'])
      expect(fault({ ...secure, OTEL_EXPORTER_OTLP_HEADERS: wrong }), wrong).toMatch(/^OTEL_EXPORTER_OTLP_HEADERS: expected/)
    expect(fault({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toMatch(
      /^OTEL_EXPORTER_OTLP_HEADERS: needs an https address/,
    )
    expect(fault({ OTEL_TRACES_SAMPLER: 'some' })).toMatch(/^OTEL_TRACES_SAMPLER: /)
    expect(fault({ OTEL_TRACES_SAMPLER_ARG: '2' })).toMatch(/^OTEL_TRACES_SAMPLER_ARG: /)
    expect(fault({ OTEL_METRIC_EXPORT_INTERVAL: '5' })).toMatch(/^OTEL_METRIC_EXPORT_INTERVAL: /)
  })

  it('archives the embedded database alone', () => {
    expect(readConfig({}).archive).toBeNull()
    expect(readConfig({ PLACARD_PG_ARCHIVE: '/mnt/archive' }).archive).toBe('/mnt/archive')
    expect(fault({ PLACARD_PG_ARCHIVE: '/mnt/archive', DATABASE_URL: 'postgres://db/placard' })).toMatch(
      /^PLACARD_PG_ARCHIVE: is of the embedded database/,
    )
  })

  it('logs failed and slow requests and a hundredth of the others, unless settings say otherwise', () => {
    expect(readConfig({}).requestLog).toEqual({ share: 0.01, slowMs: 1000 })
    const set = { PLACARD_REQUEST_LOG: '0.5', PLACARD_SLOW_MS: '250' }
    expect(readConfig(set).requestLog).toEqual({ share: 0.5, slowMs: 250 })
    expect(readConfig({ PLACARD_REQUEST_LOG: '0' }).requestLog).toMatchObject({ share: 0 })
    expect(readConfig({ PLACARD_REQUEST_LOG: 'off' }).requestLog).toBeNull()
    for (const wrong of ['2', '-1', 'on', 'all'])
      expect(fault({ PLACARD_REQUEST_LOG: wrong })).toBe('PLACARD_REQUEST_LOG: is a share from 0 to 1, or off')
    for (const wrong of ['0', '1.5', 'slow']) expect(fault({ PLACARD_SLOW_MS: wrong })).toMatch(/^PLACARD_SLOW_MS: /)
  })

  it('keeps money and audit data long enough, and the rest for as long as settings say', () => {
    expect(readConfig({}).kept).toEqual({
      chargeDays: 35,
      batchDays: 120,
      factMonths: null,
      rejectedRowDays: 90,
      securityEventDays: null,
    })
    expect(readConfig({ PLACARD_FACT_MONTHS: '14', PLACARD_CHARGE_DAYS: '7' }).kept).toMatchObject({
      factMonths: 14,
      chargeDays: 7,
    })
    expect(() => readConfig({ PLACARD_FACT_MONTHS: '12' })).toThrow('PLACARD_FACT_MONTHS')
    expect(() => readConfig({ PLACARD_CHARGE_DAYS: '6' })).toThrow('PLACARD_CHARGE_DAYS')
    expect(() => readConfig({ PLACARD_SECURITY_EVENT_DAYS: '90' })).toThrow('PLACARD_SECURITY_EVENT_DAYS')
  })

  it('sends mails to files, or to the server and from the address of SMTP_URL', () => {
    expect(readConfig({ PLACARD_DATA_DIR: '/data' }).mail).toMatchObject({ kind: 'outbox', folder: '/data/outbox' })
    expect(readConfig({ PLACARD_DEMO: 'off', SMTP_URL: 'smtps://u:p@mail.example:465?from=ads@example.com' }).mail).toEqual({
      kind: 'smtp',
      url: 'smtps://u:p@mail.example:465',
      from: 'ads@example.com',
    })
  })

  it.each([
    [{ PORT: 'many' }, /^PORT: /],
    [{ PLACARD_ROLE: 'boss' }, /^PLACARD_ROLE: /],
    [{ PLACARD_ROLE: 'api' }, /needs DATABASE_URL/], // covers FP-24
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL: /],
    [{ FACTS_URL: 'postgres://u:hidden@x:8123/facts' }, /^FACTS_URL: must look like http/],
    [{ FACTS_URL: 'http://u:hidden@x:8123' }, /^FACTS_URL: must look like http/],
    [{ FACTS_URL: 'http://u:hidden%zz@x:8123/facts' }, /^FACTS_URL: holds a %/],
    [{ EVENT_STORE_URL: 'http://x' }, /^EVENT_STORE_URL: must start with esdb/],
    [{ FILE_STORE_URL: 'http://bucket.example' }, /^FILE_STORE_URL: /],
    [{ FILE_STORE_URL: 'file://elsewhere/files' }, /^FILE_STORE_URL: /],
    [{ PLACARD_SERVICE_TOKEN: 'x'.repeat(31) }, /^PLACARD_SERVICE_TOKEN: needs at least 32/], // covers FP-51
    [{ PLACARD_SIGNING_KEY: 'too-short' }, /^PLACARD_SIGNING_KEY: /],
    [{ PLACARD_SIGNING_KEY: 'a'.repeat(64) }, /^PLACARD_SIGNING_KEY: /],
    [{ PLACARD_TRUST_PROXY: 'true' }, /^PLACARD_TRUST_PROXY: /],
    [{ PLACARD_TRUST_PROXY: '0' }, /^PLACARD_TRUST_PROXY: /],
    [{ PLACARD_TRUST_PROXY: '10.0.0.0/8, proxy.example' }, /^PLACARD_TRUST_PROXY: /],
    [{ PLACARD_TRUST_PROXY: '0.0.0.0/0' }, /^PLACARD_TRUST_PROXY: /],
    [{ SMTP_URL: 'http://u:hidden@mail.example' }, /^SMTP_URL: expected smtp/],
    [{ SMTP_URL: 'smtp://u:hidden@mail.example?from=nobody' }, /^SMTP_URL: from is not/],
    [{ SMTP_URL: 'smtp://u:hidden@mail.example' }, /^SMTP_URL: needs the address of the sender/],
    [{ PLACARD_PUBLIC_URL: 'http://ads.example' }, /^PLACARD_PUBLIC_URL: /],
    [{ PLACARD_CONTENT_ORIGIN: 'https://content.example/files' }, /^PLACARD_CONTENT_ORIGIN: /],
    [{ PLACARD_CONTENT_ORIGIN: 'javascript:alert(1)' }, /^PLACARD_CONTENT_ORIGIN: /],
    [
      { PLACARD_CONTENT_ORIGIN: 'https://ads.example', PLACARD_PUBLIC_URL: 'https://ads.example/' },
      /^PLACARD_CONTENT_ORIGIN: must not be/,
    ],
  ])('stops the start for %j with one line that names the variable', (env, line) => {
    expect(fault(env)).toMatch(line)
    expect(fault(env)).not.toMatch(/\n|hidden/)
  })

  describe('the demo and its public passwords', () => {
    const OUTSIDE = [
      '0.0.0.0',
      '::',
      '::ffff:0.0.0.0',
      '192.168.1.4',
      '2001:db8::1',
      'placard.example',
      'localhost.example',
      '1270.0.0.1',
    ]
    // covers FP-48
    it.each(OUTSIDE)('the demo and its public passwords are refused on %s', (HOST) => {
      for (const env of [{}, { NODE_ENV: 'production' }, { NODE_ENV: 'test', PLACARD_DEMO: 'on' }])
        expect(fault({ HOST, ...env })).toMatch(/^PLACARD_DEMO: .*Set PLACARD_DEMO=off or HOST=127.0.0.1$/)
      expect(readConfig({ HOST, PLACARD_DEMO: 'off' })).toMatchObject({ demo: false, host: HOST })
    })

    it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', 'localhost'])(
      'the demo and its public passwords are accepted on %s',
      (HOST) => {
        expect(readConfig({ HOST, NODE_ENV: 'production' })).toMatchObject({ demo: true })
      },
    )

    // covers FP-48
    it('the demo and its public passwords are refused behind a proxy', () => {
      expect(fault({ PLACARD_TRUST_PROXY: '1' })).toMatch(/^PLACARD_DEMO: .*behind a proxy/)
      expect(readConfig({ PLACARD_TRUST_PROXY: '1', PLACARD_DEMO: 'off' })).toMatchObject({ trustProxy: 1 })
    })
  })

  describe('Stripe', () => {
    const SECRET = 'sk_test_0123456789'
    const SET = { STRIPE_SECRET_KEY: SECRET, STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    it.each<readonly [env: Readonly<Record<string, string>>, named: RegExp]>([
      [{ STRIPE_SECRET_KEY: SECRET }, /^STRIPE_WEBHOOK_SECRET: needed with STRIPE_SECRET_KEY/],
      [{ ...SET, STRIPE_SECRET_KEY: 'live-key-of-mine' }, /^STRIPE_SECRET_KEY: (?!.*live-key)/],
      [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }, /^STRIPE_WEBHOOK_SECRET: needs STRIPE_SECRET_KEY/],
      [{ ...SET, STRIPE_PUBLISHABLE_KEY: SECRET }, /^STRIPE_PUBLISHABLE_KEY: (?!.*sk_test)/],
      [{ ...SET, STRIPE_API_URL: 'http://stripe.example' }, /^STRIPE_API_URL: /],
      [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /^STRIPE_PUBLISHABLE_KEY: needs STRIPE_SECRET_KEY/],
      [{ STRIPE_API_URL: 'http://127.0.0.1:4000' }, /^STRIPE_API_URL: needs STRIPE_SECRET_KEY/],
      [
        { ...SET, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' },
        /^STRIPE_PUBLISHABLE_KEY: is a live key, and STRIPE_SECRET_KEY a test one/,
      ],
      [
        { ...SET, STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
        /^STRIPE_PUBLISHABLE_KEY: is a test key, and STRIPE_SECRET_KEY a live one/,
      ],
    ])('stops the start with %j, and names the variable without its value', (env, named) =>
      expect(fault({ PLACARD_DEMO: 'off', ...env })).toMatch(named),
    )

    it('Stripe is off, or asked at its own address', () => {
      expect(readConfig({}).stripe).toBeNull()
      expect(readConfig({ PLACARD_DEMO: 'off', ...SET }).stripe).toMatchObject({
        apiUrl: 'https://api.stripe.com',
        publishableKey: null,
      })
    })
  })

  describe('the demo in an installation for real users', () => {
    const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    // covers FP-71
    it.each([
      ['PLACARD_PUBLIC_URL', { PLACARD_PUBLIC_URL: 'https://ads.example', PLACARD_TRUST_PROXY: 'none' }],
      ['PLACARD_PUBLIC_URL', { PLACARD_PUBLIC_URL: 'https://192.168.1.4:8443', PLACARD_TRUST_PROXY: 'none' }],
      ['SMTP_URL', { SMTP_URL: 'smtp://127.0.0.1:2525?from=ads@example.com' }],
      ['STRIPE_SECRET_KEY', STRIPE],
      ['STRIPE_SECRET_KEY', { ...STRIPE, STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_API_URL: 'http://127.0.0.1:4000' }],
    ])('stops the start with a line that names %s', (name, env) => {
      for (const demo of [{}, { PLACARD_DEMO: 'on' }, { PLACARD_DEMO: 'on', DATABASE_URL: 'postgres://u:p@h/d' }])
        expect(fault({ ...env, ...demo })).toMatch(new RegExp(`^PLACARD_DEMO: .*${name}.* Set PLACARD_DEMO=off$`))
      expect(readConfig({ ...env, PLACARD_DEMO: 'off' }).demo).toBe(false)
      expect(readConfig({ ...env, DATABASE_URL: 'postgres://u:p@h/d' }).demo).toBe(false)
    })

    it('the demo in an installation for real users is allowed with a public address on loopback', () => {
      for (const PLACARD_PUBLIC_URL of ['http://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:3000'])
        expect(readConfig({ PLACARD_PUBLIC_URL }).demo).toBe(true)
    })
  })

  // covers FP-47
  it('reads proxies, origins and signing keys', () => {
    const set = (env: Record<string, string>) => readConfig({ ...SERVED, PLACARD_PUBLIC_URL: '', ...env })
    expect(set({ PLACARD_TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1'])
    expect(set({ PLACARD_PUBLIC_URL: 'https://ads.example/' }).publicOrigin).toBe('https://ads.example')
    expect(set({ PLACARD_CONTENT_ORIGIN: 'http://127.0.0.1:3001' }).contentOrigin).toBe('http://127.0.0.1:3001')
    const keys = ['new', 'old'].map((name) => createHash('sha256').update(name).digest('base64url'))
    expect(set({ PLACARD_SIGNING_KEY: keys.join(',') }).signingKeys.map(String)).toEqual(keys)
    expect(set({})).toMatchObject({ trustProxy: null, publicOrigin: null, contentOrigin: null, signingKeys: [] })
  })

  it('warns of a public address without an origin for user content', () => {
    const warned = (env: Record<string, string>) => notices(readConfig({ ...SERVED, PLACARD_PUBLIC_URL: '', ...env })).length
    const { PLACARD_PUBLIC_URL } = SERVED
    expect(notices(readConfig(SERVED))[0]).toMatch(/^PLACARD_CONTENT_ORIGIN is not set/)
    expect(warned({ PLACARD_PUBLIC_URL, PLACARD_CONTENT_ORIGIN: 'https://content.example' })).toBe(0)
    expect([warned({}), warned({ PLACARD_PUBLIC_URL: 'http://localhost:3000' })]).toEqual([0, 0])
  })

  it('refuses a public address without a word on proxies, unless it is said on purpose', () => {
    const { PLACARD_PUBLIC_URL } = SERVED
    expect(fault({ PLACARD_DEMO: 'off', PLACARD_PUBLIC_URL })).toMatch(
      /^PLACARD_TRUST_PROXY: needed with PLACARD_PUBLIC_URL.* none /,
    )
    expect(readConfig(SERVED).trustProxy).toBeNull()
    expect(readConfig({ ...SERVED, PLACARD_TRUST_PROXY: '2' }).trustProxy).toBe(2)
    expect(readConfig({ PLACARD_PUBLIC_URL: 'http://localhost:3000' }).trustProxy).toBeNull()
  })

  it.each([
    ['PLACARD_FILES_URL', 'FILE_STORE_URL'],
    ['PLACARD_PUBLC_URL', 'PLACARD_PUBLIC_URL'],
    ['PLACARD_TRUSTED_PROXY', 'PLACARD_TRUST_PROXY'],
    ['PLACARD_PORT', 'PORT'],
    ['PLACARD_SMTP', 'SMTP_URL'],
    ['PLACARD_LOG_LEVEL', 'LOG_LEVEL'],
    ['PLACARD_', 'PORT'],
  ])('refuses %s, which is no setting, and names %s', (name, meant) => {
    expect(fault({ [name]: 'hidden' })).toBe(`${name}: is no setting. Did you mean ${meant}?`)
    expect(fault({ [name]: '' })).toContain('is no setting')
  })

  it('lets be what Kubernetes sets beside a Service of the same name', () => {
    const set = {
      PLACARD_SERVICE_HOST: '10.0.0.7',
      PLACARD_SERVICE_PORT: '80',
      PLACARD_API_SERVICE_PORT_HTTP: '80',
      PLACARD_PORT: 'tcp://10.0.0.7:80',
      PLACARD_PORT_80_TCP: 'tcp://10.0.0.7:80',
      PLACARD_PORT_80_TCP_ADDR: '10.0.0.7',
    }
    expect(readConfig(set).port).toBe(3000)
  })

  it.each([
    ['DATABASE_URL', 'postgres://placard:pa@hidden/w:rd@localhost:5432/ads'],
    ['DATABASE_URL', 'postgres://placard:pa/hidden@localhost:5432/ads'],
    ['DATABASE_URL', 'postgres://placard:pa@hidden@localhost/ads'],
    ['DATABASE_URL', 'postgres://placard:pa?hidden@localhost/ads'],
    ['DATABASE_URL', 'postgres://placard:pa#hidden@localhost/ads'],
    ['DATABASE_URL', 'postgres://placard:pa[hidden@localhost:port/ads'],
    ['SMTP_URL', 'smtp://ads:pa/hidden@mail.example:587?from=ads@example.com'],
    ['FACTS_URL', 'https://ads:pa/hidden@facts.example:8123/ads'],
    ['EVENT_STORE_URL', 'kurrentdb://ads:pa/hidden@one:2113,two:2113?tls=false'],
  ])('says to percent-encode the password of %s, and prints no part of it', (name, url) => {
    const line = fault({ PLACARD_DEMO: 'off', [name]: url })
    expect(line).toMatch(new RegExp(`^${name}: cannot be read\\. Percent-encode`))
    expect(line).not.toMatch(/hidden|pa\b|w:rd/)
  })

  it.each([
    ['DATABASE_URL', 'postgres://placard:p%40ss%2Fword@localhost:5432/ads?application_name=a@b'],
    ['DATABASE_URL', 'postgres://placard@/ads?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://[::1]:5432/ads'],
    ['SMTP_URL', 'smtp://mail.example:587?from=ads@example.com'],
    ['EVENT_STORE_URL', 'kurrentdb://ads:secret@one:2113,two:2113?tls=false'],
    ['EVENT_STORE_URL', 'esdb+discover://one,two'],
    ['FACTS_URL', 'https://ads:secret@facts.example:8123/ads'],
  ])('reads %s=%s', (name, url) => expect(fault({ PLACARD_DEMO: 'off', [name]: url })).toBe(''))

  it('refuses headers of a collector that is not named, and a folder without a site', () => {
    expect(fault({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hidden' })).toBe(
      'OTEL_EXPORTER_OTLP_HEADERS: needs OTEL_EXPORTER_OTLP_ENDPOINT',
    )
    expect(fault({ PLACARD_DOCUMENTATION: '/nowhere/docs' })).toMatch(/^PLACARD_DOCUMENTATION: the folder holds no site/)
  })

  it('never prints a secret value', () => {
    expect(fault({ PLACARD_SERVICE_TOKEN: 'hunter2' })).not.toContain('hunter2')
    expect(fault({ DATABASE_URL: 'mysql://u:hunter2@h' })).not.toContain('hunter2')
  })
})
