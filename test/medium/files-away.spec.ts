import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startLossyProxy, type LossyProxy } from '../support/lossy-proxy.ts'
import { mp4 } from '../support/media/mp4.ts'
import { eventually, png, sendFile, startTestProduct, upload, type Session, type TestProduct } from '../support/product.ts'
import { S3_CREDENTIALS, startS3Server, useCredentials, type S3Server } from '../support/s3-server.ts'

/** A product whose files are in S3, which goes away, freezes and comes back. */
describe('files in S3', () => {
  let server: S3Server
  let proxy: LossyProxy
  let product: TestProduct
  let ada: Session
  let file = ''
  let bytes: Buffer
  beforeAll(async () => {
    useCredentials(S3_CREDENTIALS)
    server = await startS3Server()
    proxy = await startLossyProxy(server.endpoint)
    const url = `s3://${server.bucket}?endpoint=${new URL(proxy.url).origin}`
    product = await startTestProduct({ FILE_STORE_URL: url, LOG_LEVEL: 'silent' })
    ada = await product.as('ada@nile.example')
    bytes = mp4({ width: 640, height: 360, seconds: 5, pictureBytes: 100_000 })
    const { data, status } = await sendFile(product.base, ada.token, '/v1/file/video', bytes)
    expect(status).toBe(200)
    file = product.base + data.file_url
  })
  afterAll(async () => {
    await product.stop()
    await proxy.close()
    await server.close()
    vi.unstubAllEnvs()
  })

  const away = async () => {
    const response = await fetch(`${product.base}/health/ready`)
    const body: { readonly away: readonly string[] } = await response.json()
    return body.away
  }
  const metric = async () =>
    /placard_outside_away\{name="file store"\} (\d)/.exec(await (await fetch(`${product.base}/metrics`)).text())?.[1]
  const isBack = async () => {
    await eventually(away, (names) => names.length === 0)
    const answer = await fetch(file)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  }
  const expectAway = (answer: Response) => {
    expect(answer.status).toBe(503)
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' })
    for (const header of ['etag', 'accept-ranges', 'content-range']) expect(answer.headers.has(header)).toBe(false)
  }
  const newBanner = async () => upload(product.base, ada.token, await png(300, 250 + (made += 1)), 300, 250 + made)
  let made = 0

  it('files in S3 answer HEAD without reading a byte of the store, and a range by that range', async () => {
    const before = server.read()
    const head = await fetch(file, { method: 'HEAD', headers: { range: 'bytes=0-9' } })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
    expect(head.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
    expect(server.read() - before).toBe(0)
    const known = await fetch(file, { method: 'HEAD', headers: { 'if-none-match': head.headers.get('etag') ?? '' } })
    expect([known.status, known.headers.get('content-length')]).toEqual([304, null])
    const part = await fetch(file, { headers: { range: `bytes=${bytes.length - 1}-` } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 1])
    expect(server.read() - before).toBe(1)
  })

  it('files in S3 answer 503 while the store is gone, in every way, and what does not need it goes on', async () => {
    expect(await metric()).toBe('0')
    await proxy.down()
    expectAway(await fetch(file))
    expectAway(await fetch(file, { headers: { range: 'bytes=0-9' } }))
    expectAway(await fetch(file, { method: 'HEAD' }))
    expect(await newBanner()).toMatchObject({ status: 503, code: 1 })
    expect(await away()).toEqual(['file store'])
    expect(await metric()).toBe('1')
    // A cached file, a refused one, and a picture of a user need no store.
    const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`
    expect((await fetch(file, { headers: { 'if-none-match': tag } })).status).toBe(304)
    expect(await upload(product.base, ada.token, Buffer.from('no image'), 300, 250)).toMatchObject({ status: 400, code: 2 })
    expect(await sendFile(product.base, ada.token, '/v1/user/profile/image', await png(300, 300))).toMatchObject({ status: 200 })
    await proxy.up()
    await isBack()
    expect(await newBanner()).toMatchObject({ status: 200 })
    expect(await metric()).toBe('0')
  })

  it('files in S3 answer 503 within five seconds while the store is frozen', async () => {
    const { files } = await product.stored()
    proxy.silence()
    const begin = performance.now()
    const [read, write] = await Promise.all([fetch(file), newBanner()])
    expect(performance.now() - begin).toBeLessThan(5000)
    expectAway(read)
    expect(write).toMatchObject({ status: 503, code: 1 })
    expect((await product.stored()).files).toBe(files)
    expect(await away()).toEqual(['file store'])
    proxy.speak()
    await isBack()
  })

  it('files in S3 are away when the bucket is gone', async () => {
    await rm(server.folder, { recursive: true })
    // First: its answer does not say that the bucket is gone.
    expectAway(await fetch(file, { method: 'HEAD' }))
    expectAway(await fetch(file))
    expect(await away()).toEqual(['file store'])
  })
})
