import { afterAll, describe, expect, it } from 'vitest'
import { box, mp4 } from '#test/support/media/mp4'
import { mp3 } from '#test/support/media/mp3'
import { MP4_CODECS } from '#test/support/media/mp4-codecs'
import { webm } from '#test/support/media/webm'
import { createVideoInspector } from './video.ts'
import { processorMs } from '#test/support/processor'

const inspector = createVideoInspector()
afterAll(async () => inspector.close())

const SHAPE = { width: 640, height: 360, seconds: 12.5 }
type CodecName = keyof typeof MP4_CODECS

describe('a video', () => {
  it.each([
    ['an MP4 with its index first', mp4(SHAPE), 'video/mp4'],
    ['an MP4 with its index last', mp4({ ...SHAPE, isIndexLast: true }), 'video/mp4'],
    ['a WebM', webm(SHAPE), 'video/webm'],
    ['a WebM recorded live', webm({ ...SHAPE, isSizeUnknown: true }), 'video/webm'],
  ])('a video is measured in size and length: %s', async (_, bytes, contentType) => {
    expect(await inspector.inspect(bytes)).toEqual({ contentType, ...SHAPE, frameRate: 10, warnings: [] })
  })

  it('a video has its displayed size when it was filmed rotated', async () => {
    const bytes = mp4({ ...SHAPE, isRotated: true })

    expect(await inspector.inspect(bytes)).toMatchObject({ contentType: 'video/mp4', width: 360, height: 640, seconds: 12.5 })
  })

  const SQUARE_PIXELS: readonly (readonly [string, Buffer, width: number, height: number])[] = [
    ['an MP4 with square pixels', mp4({ ...SHAPE, pixel: [1, 1] }), 640, 360],
    ['an MP4 with wide pixels', mp4({ ...SHAPE, width: 480, pixel: [4, 3] }), 640, 360],
    ['an MP4 with pixels of 12:11', mp4({ ...SHAPE, width: 440, height: 360, pixel: [12, 11] }), 480, 360],
    ['an MP4 with doubled pixels', mp4({ ...SHAPE, width: 960, height: 800, pixel: [2, 1] }), 1920, 800],
    ['an MP4 with high pixels', mp4({ ...SHAPE, height: 180, pixel: [1, 2] }), 640, 360],
    ['an MP4 with pixels of 3:4', mp4({ ...SHAPE, height: 270, pixel: [3, 4] }), 640, 360],
    ['a rotated MP4 with wide pixels', mp4({ ...SHAPE, width: 270, pixel: [4, 3], isRotated: true }), 360, 360],
    ['a rotated MP4', mp4({ ...SHAPE, width: 360, height: 640, isRotated: true }), 640, 360],
    ['a WebM with wide pixels', webm({ ...SHAPE, width: 480, display: { width: 640, height: 360 } }), 640, 360],
    ['a WebM with high pixels', webm({ ...SHAPE, height: 180, display: { width: 640, height: 360 } }), 640, 360],
    ['a WebM with square pixels', webm({ ...SHAPE, display: SHAPE }), 640, 360],
  ]
  it.each(SQUARE_PIXELS)('a video has the size in which it is shown: %s', async (_, bytes, width, height) => {
    expect(await inspector.inspect(bytes)).toMatchObject({ width, height })
  })

  it.each<[CodecName, warnings: readonly string[]]>([
    ['H.264 Baseline', []],
    ['H.264 High', []],
    ['VP9', []],
    ['AV1', ['av1']],
  ])('a video is taken in %s', async (name, warnings) => {
    expect(await inspector.inspect(mp4({ ...SHAPE, codec: MP4_CODECS[name] }))).toMatchObject({ ...SHAPE, warnings })
  })

  it.each([
    ['V_VP8', []],
    ['V_VP9', []],
    ['V_AV1', ['av1']],
  ])('a video is taken as WebM in %s', async (codec, warnings) => {
    expect(await inspector.inspect(webm({ ...SHAPE, codec }))).toMatchObject({ ...SHAPE, warnings })
  })

  it.each<[CodecName, named: string]>([
    ['HEVC', 'HEVC (H.265)'],
    ['MPEG-1', 'MPEG-1'],
    ['MPEG-2', 'MPEG-2'],
    ['MPEG-4 part 2', 'MPEG-4 part 2'],
    ['Motion JPEG', 'Motion JPEG'],
    ['Apple ProRes', 'ProRes'],
    ['H.264 with 10 bits', 'H.264 10 bit'],
    ['H.264 with 4:2:2', 'H.264 4:2:2'],
    ['H.264 with 4:4:4', 'H.264 4:4:4'],
    ['H.264 in RGB', 'H.264 RGB'],
  ])('a video is refused by the name of what browsers do not play: %s', async (name, codec) => {
    const bytes = mp4({ ...SHAPE, codec: MP4_CODECS[name] })
    expect(await inspector.inspect(bytes)).toEqual({ fault: 'videoCodec', params: { codec } })
  })

  it('a video is as long as its pictures, not as its sound', async () => {
    expect(await inspector.inspect(mp4({ ...SHAPE, seconds: 0.1, soundSeconds: 9 }))).toMatchObject({ seconds: 0.1 })
  })

  it('a video is inspected while many others are', async () => {
    const lengths = [1, 2, 3, 4, 5, 6]

    const facts = await Promise.all(lengths.map(async (seconds) => inspector.inspect(webm({ ...SHAPE, seconds }))))

    expect(facts).toMatchObject(lengths.map((seconds) => ({ seconds })))
  })

  it('a video is inspected after the inspector was closed', async () => {
    const closed = createVideoInspector()
    await closed.inspect(mp4(SHAPE))
    await closed.close()

    expect(await closed.inspect(mp4(SHAPE))).not.toBeNull()
    await closed.close()
  })

  it.each([
    ['an MP4', mp4({ ...SHAPE, pictureBytes: 84_000 })],
    ['a WebM', webm({ ...SHAPE, pictureBytes: 84_000 })],
  ])('a video of ten megabytes is measured fast: %s', async (_, bytes) => {
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
