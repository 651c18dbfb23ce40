import { parseBuffer } from 'music-metadata'
import { describe, expect, it } from 'vitest'
import { id3v2, mp3, mp3Frame, type Mp3Options } from '#test/support/media/mp3'
import { inspectMp3 } from './audio.ts'
import { processorMs } from '#test/support/processor'

const KINDS: readonly (readonly [string, Omit<Mp3Options, 'seconds'>])[] = [
  ['of a constant bitrate', {}],
  ['of a constant bitrate with an Info header', { header: 'Info' }],
  ['of a variable bitrate without a header', { bitrates: [32, 128, 320] }],
  ['of a variable bitrate with a Xing header', { bitrates: [32, 128, 320], header: 'Xing' }],
  ['in mono', { isMono: true, header: 'Xing' }],
  ['at half the sample rate', { hertz: 22_050, bitrates: [8, 64, 160] }],
  ['at half the sample rate in mono with a Xing header', { hertz: 24_000, bitrates: [64], isMono: true, header: 'Xing' }],
  ['at 48 kHz between tags', { hertz: 48_000, id3v2Bytes: 5_000, hasId3v1: true }],
]

describe('the length of an MP3', () => {
  it.each(KINDS)('is measured for an MP3 %s', async (_, kind) => {
    const bytes = mp3({ seconds: 12, ...kind })

    const facts = await inspectMp3(bytes)

    expect(facts?.seconds).toBeCloseTo(12, 1)
    const { format } = await parseBuffer(bytes, { mimeType: 'audio/mpeg' }, { duration: true })
    expect(facts?.seconds).toBeCloseTo(format.duration ?? 0, 1)
  })

  it('excludes the padding of the encoder', async () => {
    const bytes = mp3({ seconds: (1152 * 10) / 44_100, header: 'Info', trim: { before: 576, after: 900 } })

    expect((await inspectMp3(bytes))?.seconds).toBeCloseTo((11_520 - 1476) / 44_100, 6)
  })

  it('is measured past padding at both ends', async () => {
    const bytes = Buffer.concat([id3v2(100), Buffer.alloc(700), mp3({ seconds: 2 }), Buffer.alloc(900)])

    expect((await inspectMp3(bytes))?.seconds).toBeCloseTo(2, 1)
  })

  it('is measured in front of an APE tag', async () => {
    const tag = Buffer.alloc(32)
    tag.write('APETAGEX', 0, 'latin1')
    tag.writeUInt32LE(32 + 40, 12)

    expect((await inspectMp3(Buffer.concat([mp3({ seconds: 2 }), Buffer.alloc(40, 'x'), tag])))?.seconds).toBeCloseTo(2, 1)
  })

  it('of twenty megabytes is measured fast', async () => {
    const bytes = mp3({ seconds: 1300 })
    const began = processorMs()

    expect((await inspectMp3(bytes))?.seconds).toBeCloseTo(1300, 1)
    expect(processorMs() - began).toBeLessThan(4000)
  })
})

describe('MP3 inspection', () => {
  const whole = mp3({ seconds: 2 })
  const frame = mp3Frame({ kbits: 128 })
  const adts = Buffer.concat(
    Array.from({ length: 50 }, () =>
      Buffer.from('fff150800cbffc21a9f3d0b2c0ffe0112233445566778899aabbccddeeff00112233445566778899aabb', 'hex'),
    ),
  )

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is zeros', Buffer.alloc(10_000)],
    ['is text', Buffer.from('not a sound in here, only words. '.repeat(100))],
    ['is a WAV', Buffer.concat([Buffer.from('RIFF\u0000\u0100\u0000\u0000WAVEfmt '), Buffer.alloc(5000, 7)])],
    ['is AAC', adts],
    ['is layer II', Buffer.concat(Array.from({ length: 50 }, () => mp3Frame({ kbits: 128, layer: 2 })))],
    ['is an Ogg', Buffer.concat([Buffer.from('OggS\u0000\u0002'), Buffer.alloc(5000, 9)])],
    ['is a tag without frames', id3v2(500)],
    ['is a tag longer than its file', id3v2(500).subarray(0, 200)],
    ['is a tag and then junk', Buffer.concat([id3v2(500), Buffer.from('junk '.repeat(500))])],
    ['is HTML with a frame in it', Buffer.concat([Buffer.from('<html>'), frame, Buffer.from('</html>')])],
    ['is a frame with a script behind it', Buffer.concat([frame, Buffer.from('<?php system($_GET["c"]); ?>')])],
    ['has a script after all its frames', Buffer.concat([whole, Buffer.from('<?php system($_GET["c"]); ?>')])],
    ['has HTML before its frames', Buffer.concat([Buffer.from('<script>alert(1)</script>'), whole])],
    ['has a hole in the middle', Buffer.concat([whole, Buffer.alloc(500, 1), whole])],
    ['changes its sample rate', Buffer.concat([whole, mp3({ seconds: 2, hertz: 48_000 })])],
    ['is truncated inside a frame', whole.subarray(0, whole.length - 100)],
    ['has fewer frames than its header says', mp3({ seconds: 4, header: 'Xing' }).subarray(0, 417 * 100)],
    ['is a single frame', frame],
  ])('refuses a file that %s', async (_, bytes) => {
    expect(await inspectMp3(bytes)).toBeNull()
  })
})
