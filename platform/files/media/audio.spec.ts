import fc from 'fast-check'
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
  it.each(KINDS)('the length of an MP3 is measured for an MP3 %s', async (_, kind) => {
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

  it('the length of an MP3 is measured past padding at both ends', async () => {
    const bytes = Buffer.concat([id3v2(100), Buffer.alloc(700), mp3({ seconds: 2 }), Buffer.alloc(900)])

    expect((await inspectMp3(bytes))?.seconds).toBeCloseTo(2, 1)
  })

  it('the length of an MP3 is measured in front of an APE tag', async () => {
    const tag = Buffer.alloc(32)
    tag.write('APETAGEX', 0, 'latin1')
    tag.writeUInt32LE(32 + 40, 12)

    expect((await inspectMp3(Buffer.concat([mp3({ seconds: 2 }), Buffer.alloc(40, 'x'), tag])))?.seconds).toBeCloseTo(2, 1)
  })

  it('the length of an MP3 of twenty megabytes is measured fast', async () => {
    const bytes = mp3({ seconds: 1300 })
    const began = processorMs()

    expect((await inspectMp3(bytes))?.seconds).toBeCloseTo(1300, 1)
    expect(processorMs() - began).toBeLessThan(4000)
  })
})

/** Lyrics as old players stored them: before the end the number of bytes, right or not. */
const lyrics = (claimed?: number): Buffer => {
  const body = 'LYRICSBEGININD0000200LYR00005Hello'
  return Buffer.from(`${body}${String(claimed ?? body.length).padStart(6, '0')}LYRICS200`, 'latin1')
}
const ape = (hasHeader: boolean): Buffer => {
  const mark = Buffer.alloc(32)
  mark.write('APETAGEX', 0, 'latin1')
  mark.writeUInt32LE(2000, 8)
  mark.writeUInt32LE(32 + 40, 12)
  mark.writeUInt32LE(hasHeader ? 0x8000_0000 : 0, 20)
  return Buffer.concat([...(hasHeader ? [mark] : []), Buffer.alloc(40, 'x'), mark])
}
const id3v1 = (name = 'TAG', bytes = 128): Buffer => Buffer.concat([Buffer.from(name), Buffer.alloc(bytes - name.length)])
const id3v2AtEnd = (): Buffer => {
  const tag = id3v2(50)
  const footer = Buffer.from(tag.subarray(0, 10))
  footer.write('3DI', 0, 'latin1')
  return Buffer.concat([tag, footer])
}

const TAGS: readonly (readonly [string, before: readonly Buffer[], after: readonly Buffer[]])[] = [
  ['Lyrics3', [], [lyrics()]],
  ['Lyrics3 of the wrong length', [], [lyrics(40)]],
  ['Lyrics3 of the first version', [], [Buffer.from('LYRICSBEGINHello to youLYRICSEND')]],
  ['Lyrics3 and ID3v1', [], [lyrics(), id3v1()]],
  ['APE', [], [ape(false)]],
  ['APE with a header', [], [ape(true)]],
  ['APE and ID3v1', [], [ape(true), id3v1()]],
  ['APE, Lyrics3 and ID3v1', [], [ape(true), lyrics(), id3v1()]],
  ['Lyrics3, APE and ID3v1', [], [lyrics(), ape(false), id3v1()]],
  ['APE at the beginning', [ape(true)], []],
  ['ID3v2 and APE at the beginning', [id3v2(100), ape(true)], []],
  ['the longer ID3v1', [], [id3v1('TAG+', 227), id3v1()]],
  ['ID3v2 at the end', [], [id3v2AtEnd()]],
  ['everything', [id3v2(9), id3v2(100)], [ape(true), lyrics(), id3v2AtEnd(), id3v1('TAG+', 227), id3v1()]],
]

describe('an MP3 with tags', () => {
  const plain = mp3({ seconds: 2 })

  it.each(TAGS)('an MP3 with tags is as long as without them: %s', async (_, before, after) => {
    const bytes = Buffer.concat([...before, plain, ...after])
    expect(await inspectMp3(bytes)).toEqual(await inspectMp3(plain))
  })

  it('an MP3 with tags may have them in any order, number and size', async () => {
    const tag = fc.oneof(
      fc.constantFrom(lyrics(), lyrics(7), ape(true), ape(false), id3v1(), id3v1('TAG+', 227)),
      fc.constant(id3v2AtEnd()),
    )
    const head = fc.oneof(fc.nat(3000).map(id3v2), fc.constant(ape(true)))
    await fc.assert(
      fc.asyncProperty(fc.array(head, { maxLength: 3 }), fc.array(tag, { maxLength: 6 }), async (before, after) => {
        expect(await inspectMp3(Buffer.concat([...before, plain, ...after]))).toEqual(await inspectMp3(plain))
      }),
    )
  })
})

describe('the last frame of an MP3', () => {
  const FRAME = 1152 / 44_100
  it.each([
    ['without a header', mp3({ seconds: 2 })],
    ['with a header', mp3({ seconds: 2, header: 'Info' })],
    ['with a header that counts itself', mp3({ seconds: 2, header: 'Info', counted: 78 })],
    ['of a variable bitrate', mp3({ seconds: 2, bitrates: [32, 128, 320], header: 'Xing' })],
    ['in mono', mp3({ seconds: 2, isMono: true })],
  ])('does not count when it is cut, wherever that is: %s', async (_, bytes) => {
    const whole = (await inspectMp3(bytes))?.seconds ?? 0
    const most = bytes.length - bytes.lastIndexOf(Buffer.from([0xff, 0xf9]))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: Math.min(most, 300) - 1 }), fc.boolean(), async (cut, tagged) => {
        const found = await inspectMp3(Buffer.concat([bytes.subarray(0, bytes.length - cut), ...(tagged ? [id3v1()] : [])]))
        expect(found?.seconds).toBeCloseTo(whole - FRAME, 2)
      }),
    )
  })
})

/** How encoders leave a sound of some seconds: with silence around it, and notes of it or none. */
const ENCODERS: readonly (readonly [string, (seconds: number) => Buffer])[] = [
  ['LAME', (seconds) => padded({ seconds, header: 'Info', noted: true })],
  ['LAME with a variable bitrate', (seconds) => padded({ seconds, header: 'Xing', bitrates: [128, 192, 320], noted: true })],
  ['LAME at 22 kHz', (seconds) => padded({ seconds, hertz: 22_050, bitrates: [64], header: 'Info', noted: true })],
  ['LAME at 48 kHz in mono', (seconds) => padded({ seconds, hertz: 48_000, isMono: true, header: 'Info', noted: true })],
  ['LAME without notes', (seconds) => padded({ seconds })],
  ['LAME without notes at 24 kHz', (seconds) => padded({ seconds, hertz: 24_000, bitrates: [64] })],
  ['an encoder that notes frames alone', (seconds) => padded({ seconds, header: 'Xing' })],
  ['a variable bitrate without notes', (seconds) => padded({ seconds, bitrates: [32, 128, 320] })],
  ['an encoder that loses the last frame', (seconds) => mp3({ seconds: seconds - 1152 / 44_100 })],
  ['an encoder that pads by three frames', (seconds) => mp3({ seconds: seconds + (3 * 1152) / 44_100 })],
  ['an encoder at 32 kHz', (seconds) => padded({ seconds, hertz: 32_000 })],
]

function padded({ seconds, noted = false, ...options }: Mp3Options & { readonly noted?: boolean }): Buffer {
  const hertz = options.hertz ?? 44_100
  const frame = hertz >= 32_000 ? 1152 : 576
  const [samples, before] = [Math.round(seconds * hertz), 1105]
  const frames = Math.ceil((samples + before) / frame)
  const trim = { before, after: frames * frame - samples - before }
  return mp3({ ...options, seconds: (frames * frame) / hertz, ...(noted ? { trim } : {}) })
}

describe('a spot', () => {
  it.each(ENCODERS)('a spot of 15 or 30 seconds is right within a tenth of a second: %s', async (_, encoded) => {
    for (const seconds of [15, 30]) {
      const found = (await inspectMp3(encoded(seconds)))?.seconds ?? 0
      expect(Math.abs(found - seconds)).toBeLessThanOrEqual(0.1)
    }
  })

  it.each(ENCODERS.slice(0, 4))('a spot is exact where the encoder notes its padding: %s', async (_, encoded) => {
    expect([await inspectMp3(encoded(15)), await inspectMp3(encoded(30))]).toEqual([{ seconds: 15 }, { seconds: 30 }])
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
    [
      'has half a frame of another sample rate at its end',
      Buffer.concat([whole, mp3Frame({ kbits: 64, hertz: 48_000 }).subarray(0, 90)]),
    ],
    ['is truncated before its second frame', frame.subarray(0, frame.length - 1)],
    ['has fewer frames than its header says', mp3({ seconds: 4, header: 'Xing' }).subarray(0, 417 * 100)],
    ['is a single frame', frame],
  ])('refuses a file that %s', async (_, bytes) => {
    expect(await inspectMp3(bytes)).toBeNull()
  })
})
