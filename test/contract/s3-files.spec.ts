import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createS3Files } from '#platform/files/s3-files'
import { S3_CREDENTIALS, startS3Server, useCredentials, type S3Server } from '../support/s3-server.ts'
import { blobStoreContract, hashOf } from './blob-store.contract.ts'

const urlOf = ({ bucket, endpoint }: S3Server, prefix = ''): string => `s3://${bucket}${prefix}?endpoint=${endpoint}`

for (const prefix of ['', '/pictures/of-all'])
  blobStoreContract(`S3 ${prefix === '' ? 'without a prefix' : 'with a prefix'}`, async () => {
    useCredentials(S3_CREDENTIALS)
    const server = await startS3Server()
    const store = await createS3Files(urlOf(server, prefix))
    return {
      store,
      corrupt: (sha256) => server.corrupt(`${prefix}/${sha256.slice(0, 2)}/${sha256}`.slice(1)),
      count: async () => (await server.keys()).length,
      async close() {
        store.close()
        await server.close()
        vi.unstubAllEnvs()
      },
    }
  })

describe('files in S3', () => {
  const bytes = Buffer.from('a picture')
  const sha256 = hashOf(bytes)
  let server: S3Server
  beforeAll(async () => {
    useCredentials(S3_CREDENTIALS)
    server = await startS3Server()
  })
  afterAll(async () => {
    await server.close()
    vi.unstubAllEnvs()
  })

  it('files in S3 are stored under the prefix with the paths of a folder', async () => {
    const store = await createS3Files(urlOf(server, '/some/prefix/'))
    await store.put(sha256, bytes)
    store.close()

    expect(await server.keys()).toEqual([`some/prefix/${sha256.slice(0, 2)}/${sha256}`])
  })

  it('files in S3 are not sent again when they exist', async () => {
    const store = await createS3Files(urlOf(server, '/once'))
    const before = server.sent()
    await store.put(sha256, bytes)
    await store.put(sha256, bytes)
    store.close()

    expect(server.sent()).toBe(before + 1)
  })

  it('files in S3 are sent again when the stored length differs', async () => {
    const store = await createS3Files(urlOf(server, '/half'))
    await store.put(sha256, bytes)
    await server.corrupt(`half/${sha256.slice(0, 2)}/${sha256}`)
    await store.put(sha256, bytes)
    const found = await store.get(sha256)
    store.close()

    expect(found).toEqual(bytes)
  })

  it('files in S3 are not reported missing when the bucket does not exist', async () => {
    const store = await createS3Files(`s3://no-such-bucket?endpoint=${server.endpoint}`)

    await expect(store.put(sha256, bytes)).rejects.toMatchObject({ name: 'NoSuchBucket' })
    await expect(store.get(sha256)).rejects.toMatchObject({ name: 'NoSuchBucket' })
    store.close()
  })

  it('files in S3 are not readable without credentials', async () => {
    useCredentials('STRANGER')
    const store = await createS3Files(urlOf(server))

    await expect(store.put(sha256, bytes)).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
    await expect(store.get(sha256)).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
    store.close()
    useCredentials(S3_CREDENTIALS)
  })

  it('files in S3 fail while the server does not respond', async () => {
    const gone = await startS3Server()
    await gone.close()
    const store = await createS3Files(urlOf(gone))

    await expect(store.put(sha256, bytes)).rejects.toThrow('ECONNREFUSED')
    await expect(store.get(sha256)).rejects.toThrow('ECONNREFUSED')
    store.close()
  })
})
