import { describe, expect, it } from 'vitest'
import { ConfigFault, readConfig } from './config.ts'

const fault = (env: Record<string, string>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return error instanceof ConfigFault ? error.message : String(error)
  }
}

describe('configuration', () => {
  it('has defaults for a bare machine: loopback, the demo, built-in exchanges', () => {
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

  it("turns the demo off, and exchanges out, with a database of one's own", () => {
    expect(readConfig({ DATABASE_URL: 'postgres://u:p@h/d' })).toMatchObject({ demo: false, exchangeReview: 'external' })
    expect(readConfig({ PLACARD_AUDIO_ADS: 'off' })).toMatchObject({ audioAds: false })
  })

  it.each([
    [{ PORT: 'many' }, /^PORT: /],
    [{ PLACARD_ROLE: 'boss' }, /^PLACARD_ROLE: /],
    [{ PLACARD_ROLE: 'api' }, /needs DATABASE_URL/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL: /],
    [{ NODE_ENV: 'production', HOST: '0.0.0.0', PLACARD_DEMO: 'on' }, /^PLACARD_DEMO: /],
    [{ EVENT_STORE_URL: 'http://x' }, /^EVENT_STORE_URL: must start with esdb/],
    [{ FILE_STORE_URL: 'http://bucket.example' }, /^FILE_STORE_URL: /],
    [{ FILE_STORE_URL: 'file://elsewhere/files' }, /^FILE_STORE_URL: /],
    [{ PLACARD_SERVICE_TOKEN: 'short' }, /^PLACARD_SERVICE_TOKEN: /],
  ])('%j stops the start with one line that names the variable', (env, line) => {
    expect(fault(env)).toMatch(line)
    expect(fault(env)).not.toContain('\n')
  })

  it('never prints a value that may be secret', () => {
    expect(fault({ PLACARD_SERVICE_TOKEN: 'hunter2' })).not.toContain('hunter2')
    expect(fault({ DATABASE_URL: 'mysql://u:hunter2@h' })).not.toContain('hunter2')
  })
})
