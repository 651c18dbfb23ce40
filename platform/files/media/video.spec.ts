import { afterAll, describe, expect, it } from 'vitest'
import { box, mp4 } from '#test/support/media/mp4'
import { mp3 } from '#test/support/media/mp3'
import { webm } from '#test/support/media/webm'
import { createVideoInspector } from './video.ts'
import { processorMs } from '#test/support/processor'

const inspector = createVideoInspector()
afterAll(async () => inspector.close())

const SHAPE = { width: 640, height: 360, seconds: 12.5 }

describe('a video', () => {
  it.each([
    ['an MP4 with its index first', mp4(SHAPE), 'video/mp4'],
    ['an MP4 with its index last', mp4({ ...SHAPE, isIndexLast: true }), 'video/mp4'],
    ['a WebM', webm(SHAPE), 'video/webm'],
    ['a WebM recorded live', webm({ ...SHAPE, isSizeUnknown: true }), 'video/webm'],
  ])('is measured in size and length: %s', async (_, bytes, contentType) => {
    expect(await inspector.inspect(bytes)).toEqual({ contentType, ...SHAPE })
  })

  it('has its displayed size when it was filmed rotated', async () => {
    const bytes = mp4({ ...SHAPE, isRotated: true })

    expect(await inspector.inspect(bytes)).toEqual({ contentType: 'video/mp4', width: 360, height: 640, seconds: 12.5 })
  })

  it('is inspected while many others are', async () => {
    const lengths = [1, 2, 3, 4, 5, 6]

    const facts = await Promise.all(lengths.map(async (seconds) => inspector.inspect(webm({ ...SHAPE, seconds }))))

    expect(facts.map((found) => found?.seconds)).toEqual(lengths)
  })

  it('is inspected after the inspector was closed', async () => {
    const closed = createVideoInspector()
    await closed.inspect(mp4(SHAPE))
    await closed.close()

    expect(await closed.inspect(mp4(SHAPE))).not.toBeNull()
    await closed.close()
  })

  it.each([
    ['an MP4', mp4({ ...SHAPE, pictureBytes: 84_000 })],
    ['a WebM', webm({ ...SHAPE, pictureBytes: 84_000 })],
  ])('of ten megabytes is measured fast: %s', async (_, bytes) => {
    const began = processorMs()

    expect(await inspector.inspect(bytes)).toMatchObject(SHAPE)
    expect(processorMs() - began).toBeLessThan(6000)
  })
})

describe('video inspection', () => {
  const whole = mp4(SHAPE)
  const open = webm(SHAPE)

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is text', Buffer.from('moving words. '.repeat(100))],
    ['is an MP3', mp3({ seconds: 2 })],
    ['is QuickTime', mp4({ ...SHAPE, brand: 'qt  ' })],
    ['is an MKV', webm({ ...SHAPE, docType: 'matroska' })],
    ['is an MP4 with audio only', mp4({ ...SHAPE, isAudioOnly: true })],
    ['is a WebM with audio only', webm({ ...SHAPE, isAudioOnly: true })],
    ['is an MP4 of width 0', mp4({ ...SHAPE, width: 0 })],
    ['is a WebM of length 0', webm({ ...SHAPE, seconds: 0 })],
    ['is a truncated MP4', whole.subarray(0, whole.length - 1000)],
    ['is an MP4 truncated before its index', mp4({ ...SHAPE, isIndexLast: true }).subarray(0, 3000)],
    ['is a truncated WebM', open.subarray(0, open.length - 1000)],
    ['is an MP4 with a script behind it', Buffer.concat([whole, Buffer.from('<?php system($_GET["c"]); ?>')])],
    ['is a WebM with a script behind it', Buffer.concat([open, Buffer.from('<?php system($_GET["c"]); ?>')])],
    ['is the first box of an MP4', whole.subarray(0, 24)],
    ['is an MP4 whose index is junk', Buffer.concat([whole.subarray(0, 24), box('moov', Buffer.alloc(500, 7)), box('mdat')])],
  ])('refuses a file that %s', async (_, bytes) => {
    expect(await inspector.inspect(bytes)).toBeNull()
  })

  it('continues after a refused file', async () => {
    const unreadable = Object.assign(Buffer.from(whole), {
      subarray: () => {
        throw new Error('no reading here')
      },
    })

    expect(await inspector.inspect(unreadable)).toBeNull()
    expect(await inspector.inspect(whole)).toMatchObject(SHAPE)
  })
})
