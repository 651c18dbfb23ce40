import { describe, expect, it } from 'vitest'
import { readConfig } from '#api/config'
import { settingsInForce } from './settings-in-force.ts'

const MARK = 'MarkedSecret1234567890abcdefghij'
const IN_BASE64 = Buffer.from(MARK).toString('base64')
const S3 = `s3://${MARK}:${MARK}@files.example/bucket?note=${MARK}`
/** Every secret setting, with a value that can be found again. */
const SECRETS = {
  DATABASE_URL: `postgres://${MARK}:${MARK}@db.example/${MARK}`,
  EVENT_STORE_URL: `kurrentdb://${MARK}:${MARK}@log.example:2113`,
  FACTS_URL: `https://${MARK}:${MARK}@facts.example:8443/placard`,
  PLACARD_SERVICE_TOKEN: MARK,
  PLACARD_SIGNING_KEY: `${MARK}${MARK}`,
  PLACARD_DATA_KEY: IN_BASE64,
  FILE_STORE_URL: S3,
  PLACARD_LOG_KEY: IN_BASE64,
  SMTP_URL: `smtp://${MARK}:${MARK}@mail.example:587?from=ads@example.com`,
  STRIPE_SECRET_KEY: `sk_${MARK}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${MARK}`,
  STRIPE_PUBLISHABLE_KEY: `pk_${MARK}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `https://collector.example/${MARK}`,
  OTEL_EXPORTER_OTLP_HEADERS: `x-key=${MARK}`,
  PLACARD_SYSLOG_URL: `https://siem.example/${MARK}/v1/logs`,
} as const
/** Names that sound like secrets, with what they hold. */
const NOT_SECRET: Readonly<Record<string, string>> = {
  PLACARD_PUBLIC_URL: 'an origin, without a path or a user',
  PLACARD_WITNESS_URLS: 'the names of the keys alone',
  STRIPE_API_URL: 'an origin, without a path or a user',
}

describe('settings in force', () => {
  const found = settingsInForce(readConfig(SECRETS))

  it('settings in force hold no value of a secret, and say that it is set', () => {
    const text = JSON.stringify(found)
    for (const mark of [MARK, IN_BASE64, [...Buffer.from(MARK)].join(',')]) expect(text).not.toContain(mark)
    const secrets = found.filter(({ is_secret }) => is_secret)
    expect(secrets.map(({ name }) => name).sort()).toEqual(Object.keys(SECRETS).sort())
    expect(secrets.filter(({ is_set, value }) => !is_set || value !== null)).toEqual([])
  })

  it('settings in force mask every setting whose name sounds like a secret', () => {
    const named = found.filter(({ name, is_secret }) => /KEY|SECRET|TOKEN|PASSWORD|URL/.test(name) && !is_secret)
    expect(named.map(({ name }) => name).sort()).toEqual(Object.keys(NOT_SECRET).sort())
  })

  it('settings in force say which secrets are not set', () => {
    const unset = settingsInForce(readConfig({})).filter(({ is_secret }) => is_secret)
    expect(unset.length).toBe(Object.keys(SECRETS).length)
    expect(unset.filter(({ is_set }) => is_set)).toEqual([])
  })

  it('settings in force show defaults and what was set', () => {
    const of = (env: Record<string, string>) =>
      Object.fromEntries(settingsInForce(readConfig(env)).map(({ name, value }) => [name, value]))
    expect(of({})).toMatchObject({ PORT: '3000', PLACARD_SETTLE_SECONDS: '60', PLACARD_FACT_MONTHS: null, LOG_LEVEL: 'warn' })
    expect(of({ PORT: '8080', PLACARD_TRUST_PROXY: '10.0.0.0/8', PLACARD_DEMO: 'off' })).toMatchObject({
      PORT: '8080',
      PLACARD_TRUST_PROXY: '10.0.0.0/8',
    })
  })
})
