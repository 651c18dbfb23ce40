import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConfigFault } from '#commands/config-fault'
import { startKmsDouble, type KmsDouble } from '#test/support/kms-double'
import { makeKmsUrl, openDataKey, readKmsUrl } from './kms-keys.ts'

/** Fine print 94. */
describe('a data key that AWS KMS holds', () => {
  let kms: KmsDouble
  beforeAll(async () => {
    kms = await startKmsDouble()
  })
  afterAll(() => kms.stop())
  beforeEach(() => {
    kms.mode = 'up'
  })

  const faultOf = async (url: string): Promise<string> => {
    const error: unknown = await openDataKey([url]).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ConfigFault)
    return (error as ConfigFault).message
  }

  // covers FP-94
  it('a data key that AWS KMS holds is made without leaving KMS, and opened by a signed request with the context of Placard', async () => {
    const url = await makeKmsUrl(kms.url)
    expect(url).toMatch(/^aws-kms:\/\/eu-west-1\/alias\/placard\?endpoint=http:\/\/127\.0\.0\.1:\d+#[A-Za-z0-9+/=]{80,}$/)
    const [one, again] = [await openDataKey([url]), await openDataKey([url])]
    expect(again.open(one.seal(Buffer.from('value'), 'row'), 'row').toString()).toBe('value')
    expect(kms.done).toEqual(['GenerateDataKeyWithoutPlaintext', 'Decrypt', 'Decrypt'])
  })

  it('opens beside a plain one, in either order', async () => {
    const [url, plain] = [await makeKmsUrl(kms.url), randomBytes(32)]
    const [old, rotating, now] = [await openDataKey([plain]), await openDataKey([url, plain]), await openDataKey([plain, url])]
    expect(rotating.open(old.seal(Buffer.from('old'), 'row'), 'row').toString()).toBe('old')
    expect(now.open(rotating.seal(Buffer.from('new'), 'row'), 'row').toString()).toBe('new')
    expect(now.id).toEqual(old.id)
    expect(rotating.id).not.toEqual(old.id)
  })

  it('a data key that AWS KMS holds is refused when it was made for another purpose or by another key', async () => {
    expect(await faultOf(kms.foreignUrl())).toBe(
      'PLACARD_DATA_KEY: the key alias/placard of AWS KMS in eu-west-1: the data key after # was not made by this key for Placard',
    )
    const made = await makeKmsUrl(kms.url)
    expect(await faultOf(kms.otherUrl + made.slice(made.indexOf('#')))).toMatch(/alias\/other .* was not made by this key/)
  })

  it.each([
    ['refusing', /may not use it. Allow kms:Decrypt/],
    ['broken', /cannot be reached, or does not answer/],
  ] as const)('names the key and neither secret nor answer while KMS is %s', async (mode, message) => {
    const url = await makeKmsUrl(kms.url)
    kms.mode = mode
    const fault = await faultOf(url)
    expect(fault).toMatch(/^PLACARD_DATA_KEY: the key alias\/placard of AWS KMS in eu-west-1: /)
    expect(fault).toMatch(message)
    expect(fault).not.toContain(url.slice(url.indexOf('#') + 1))
    expect(fault).not.toContain('secret text')
  })

  it('says that KMS is away, that a key is unknown, and that credentials are wrong', async () => {
    const url = await makeKmsUrl(kms.url)
    expect(await faultOf(url.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1'))).toMatch(/cannot be reached/)
    expect(await faultOf(url.replace('alias/placard', 'alias/none'))).toMatch(/alias\/none .* has no such key/)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another')
    expect(await faultOf(url)).toMatch(/does not accept the credentials/)
  })

  it.each([
    'aws-kms://eu-west-1',
    'aws-kms://eu-west-1/',
    'aws-kms://user:secret@eu-west-1/alias/placard',
    'aws-kms://eu-west-1/alias/placard?endpoint=http://host/path',
    'aws-kms://eu-west-1/alias/placard?region=x',
    'aws-kms://eu-west-1/alias/placard#not base64',
    'aws-kms://mars/alias/placard',
    'aws-kms:x',
  ])('a data key that AWS KMS holds is not read from %s', (url) => {
    expect(() => readKmsUrl(url)).toThrow(/^PLACARD_DATA_KEY: a key of AWS KMS looks like/)
  })

  it('a data key that AWS KMS holds may be named by alias, id or ARN, and needs a data key to start with', async () => {
    for (const name of ['alias/a-b_c', '1234abcd-12ab-34cd-56ef-1234567890ab', 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd'])
      expect(readKmsUrl(`aws-kms://eu-west-1/${name}`)).toEqual({ region: 'eu-west-1', name, endpoint: null, sealed: null })
    expect(await faultOf(kms.url)).toMatch(/has no data key after #/)
  })
})
