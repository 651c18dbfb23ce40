import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Refused } from '#commands/refused'
import type { BannerArchive, ImageFacts, Media, MediaFault, VideoFacts } from '#commands/files/media'
import type { RefusedZip, ZipFault } from '#commands/files/zip-fault'
import type { Incoming } from '#api/http/multipart'
import type { NewFile } from '#platform/files/stored-files'
import { createUploads } from './uploads.ts'

type Size = { readonly width: number; readonly height: number }
type Film = Size & { readonly seconds?: number; readonly warnings?: readonly 'av1'[] }
const OWNER = { spaceId: 's', userId: 'u' }
const MIB = 1024 ** 2

/** Findings of the inspectors about the file; nothing without it. */
type Found = {
  readonly image?: (Size & { readonly frames?: number }) | MediaFault
  readonly seconds?: number
  readonly film?: Film | MediaFault
  readonly archive?: Partial<BannerArchive> | RefusedZip
}
const png = (size: Size): ImageFacts & { readonly frames: number } => ({ contentType: 'image/png', frames: 1, ...size })

function given({ image, seconds, film, archive }: Found) {
  const stored: NewFile[] = []
  const media = {
    images: {
      inspect: async (bytes: Buffer) => (image === undefined ? null : 'fault' in image ? image : { ...png(image), bytes }),
      resize: async () => ({ bytes: Buffer.from('smaller'), contentType: 'image/png' }),
    },
    sound: async () => (seconds === undefined ? null : { seconds }),
    film: async (): Promise<VideoFacts | MediaFault | null> =>
      film === undefined || 'fault' in film
        ? (film ?? null)
        : { ...png(film), contentType: 'video/mp4', seconds: 5, frameRate: 25, warnings: [], ...film },
    archive: async () => ({ files: [], clickLinks: false, externalHosts: [], ...archive }),
  } as unknown as Media
  const files = { add: async (file: NewFile) => stored.push(file) } as never
  const uploads = createUploads({ media, files })
  return {
    /** The file that is stored, or the code and the sentence of the refusal. */
    async when(upload: (to: typeof uploads, incoming: Incoming) => Promise<unknown>, over: Partial<Incoming> = {}) {
      try {
        await upload(uploads, { bytes: Buffer.from(archive === undefined ? 'file' : 'PK'), name: 'a', cut: false, ...over })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        expect(stored).toEqual([])
        return [error.rejection.code, error.rejection.faults?.[0]?.message]
      }
      return stored[0]
    },
  }
}

/** Text of each refusal of a zip; FILE is the file that is its reason. */
const ZIP_FAULTS: Readonly<Record<ZipFault, string>> = {
  notAZip: 'FILE is not a whole zip. Create the zip again',
  noIndex: 'The zip should have index.html at its root',
  tooManyEntries: 'A zip should hold at most 500 files and folders',
  tooLarge: 'Unpacked, a zip should have at most 50 MB, and its pages 2 MB. Its largest file is FILE',
  suspiciousRatio: 'FILE is packed more than a hundredfold. Use a smaller file',
  unsafePath: 'The name or the folder of FILE cannot be used in a zip. Rename it',
  link: 'FILE is neither a file nor a folder. Remove it from the zip',
  encrypted: 'FILE is protected by a password. Create the zip without one',
  unsupported: 'FILE is packed in a way that cannot be read. Create the zip with the usual settings of your system',
  duplicate: 'FILE is in the zip twice, or in another letter case. Rename or remove one of them',
  forbiddenFile:
    'A banner cannot use FILE. Remove it from the zip: only pages, styles, scripts, images, fonts, sound and video may be in it',
  polyglot: 'FILE holds something besides the zip. Create the zip again',
  corrupt: 'FILE is damaged. Create the zip again',
}

const banner = (width: number, height: number) => (to: ReturnType<typeof createUploads>, file: Incoming) =>
  to.banner(file, { width, height }, OWNER)
const native = (wanted: Size | null) => (to: ReturnType<typeof createUploads>, file: Incoming) => to.native(file, wanted, OWNER)
const audio = (to: ReturnType<typeof createUploads>, file: Incoming) => to.audio(file, OWNER)
const video = (to: ReturnType<typeof createUploads>, file: Incoming) => to.video(file, OWNER)
const plain = (to: ReturnType<typeof createUploads>, file: Incoming) => to.plain(file, OWNER)
const size = (width: number, height: number): Size => ({ width, height })
const sized = (width: number, height: number) => [2, `Please upload image with ${width}x${height} dimensions`]

describe('an uploaded file', () => {
  it.each<[what: string, found: Found, upload: typeof audio, stored: object]>([
    ['a banner of the size', { image: size(320, 50) }, banner(320, 50), { width: 320, bytes: Buffer.from('file') }],
    ['a larger banner of the same ratio, scaled', { image: size(640, 100) }, banner(320, 50), { bytes: Buffer.from('smaller') }], // covers CAM-CVAL-41
    ['a zip for a banner', { archive: { clickLinks: true } }, banner(320, 50), { width: 320, warnings: ['clickLinks'] }], // covers CAM-CVAL-42
    [
      'a zip that loads from elsewhere',
      { archive: { externalHosts: ['code.createjs.com', 's0.2mdn.net'] } },
      plain,
      { warnings: ['externalFiles:code.createjs.com', 'externalFiles:s0.2mdn.net'] },
    ],
    ['a landscape', { image: size(1200, 627) }, native(null), { width: 1200 }],
    ['a square', { image: size(600, 600) }, native(null), { width: 600 }],
    ['an icon', { image: size(128, 128) }, native(null), { width: 128 }],
    ['a track of 15 seconds', { seconds: 15 }, audio, { contentType: 'audio/mpeg', seconds: 15 }], // covers CAM-CVAL-32
    ['a track of 30 seconds', { seconds: 30 }, audio, { seconds: 30 }], // covers CAM-CVAL-33
    ['a track that lost its last frame', { seconds: 14.9 }, audio, { seconds: 15 }],
    ['a track with the padding of its encoder', { seconds: 30.1 }, audio, { seconds: 30 }],
    ['a track of 15.05 seconds', { seconds: 15.05 }, audio, { seconds: 15.05 }],
    ['an animated PNG of the size', { image: { ...size(320, 50), frames: 4 } }, banner(320, 50), { bytes: Buffer.from('file') }],
    ['a video of a second', { film: { ...size(640, 360), seconds: 1 } }, video, { seconds: 1, frameRate: 25 }],
    ['a video with a warning', { film: { ...size(640, 360), warnings: ['av1'] } }, video, { warnings: ['av1'] }],
    ['a small video', { film: size(480, 360) }, video, { width: 480 }],
    ['a medium video', { film: size(640, 360) }, video, { width: 640 }],
    ['a wide video', { film: size(1920, 800) }, video, { width: 1920 }],
  ])('an uploaded file is stored: %s', async (_, found, upload, stored) =>
    expect(await given(found).when(upload)).toMatchObject(stored),
  )

  it.each<[what: string, found: Found, upload: typeof audio, refusal: readonly unknown[]]>([
    ['a smaller banner', { image: size(160, 25) }, banner(320, 50), [2, 'the banner dimensions should be 320x50']], // covers CAM-CVAL-41
    ['a banner of another ratio', { image: size(500, 500) }, banner(320, 50), [2, 'the banner dimensions should be 320x50']], // covers CAM-CVAL-40
    ['no image', {}, plain, [2, 'The file is not a valid image. Please upload JPG, PNG, GIF or WebP']],
    [
      'an animation of too many frames',
      { image: { fault: 'imageFrames', params: { max: 1000 } } },
      banner(320, 50),
      [2, 'The animation has too many frames: at most 1000'],
    ],
    [
      'an image of too many pixels',
      { image: { fault: 'imagePixels', params: { max: 40 } } },
      native(null),
      [2, 'The image has too many pixels: at most 40 million, all frames together'],
    ],
    [
      'a larger animated PNG',
      { image: { ...size(640, 100), frames: 2 } },
      banner(320, 50),
      [2, 'An animated PNG is not made smaller. Upload it in exactly 320x50, or as GIF or WebP'],
    ],
    [
      'a zip without index.html at its root',
      { archive: { fault: 'noIndex', file: null } },
      banner(320, 50),
      [2, 'The zip should have index.html at its root'],
    ], // covers CAM-CVAL-43
    ['a landscape a pixel off', { image: size(1200, 628) }, native(null), sized(1200, 627)], // covers CAM-CVAL-18 CAM-CVAL-21
    ['a square a pixel off', { image: size(601, 600) }, native(null), sized(600, 600)], // covers CAM-CVAL-19
    ['an icon a pixel off', { image: size(127, 128) }, native(null), sized(128, 128)], // covers CAM-CVAL-20
    ['a square where an icon is wanted', { image: size(600, 600) }, native(size(128, 128)), sized(128, 128)],
    ['an image for a slot of 250', { image: size(100, 100) }, native(size(250, 250)), [2, 'The image should have 250x250 size.']], // covers CAM-CVAL-22
    [
      'a short track',
      { seconds: 14.89 },
      audio,
      [2, "Oops! Your audio is too short. Please upload an MP3 file that's at least 15 seconds long."],
    ], // covers CAM-CVAL-32 CAM-CVAL-36
    [
      'a long track',
      { seconds: 30.11 },
      audio,
      [2, expect.stringMatching(/^Oops! Your audio is too long\. .* at most 30 seconds long\.$/)],
    ], // covers CAM-CVAL-33 CAM-CVAL-37
    ['no track', {}, audio, [2, expect.stringMatching(/^Uh-oh! It seems like the file you uploaded isn't a valid MP3/)]], // covers CAM-CVAL-31 CAM-CVAL-38
    ['a video of another size', { film: size(1280, 720) }, video, [2, expect.stringMatching(/^Invalid dimensions/)]], // covers CAM-CVAL-26 CAM-CVAL-27
    [
      'a video shorter than a second',
      { film: { ...size(640, 360), seconds: 0.96 } },
      video,
      [2, 'The video is too short. Please upload a video of at least one second'],
    ],
    [
      'a video that browsers do not play',
      { film: { fault: 'videoCodec', params: { codec: 'HEVC (H.265)' } } },
      video,
      [
        2,
        'Browsers and exchanges do not play HEVC (H.265). Please export the video as H.264 with 4:2:0 and 8 bits (MP4), or as VP8 or VP9 (WebM)',
      ],
    ],
    ['no video', {}, video, [2, 'The file is not a valid MP4 or WebM video']],
  ])('an uploaded file is refused: %s', async (_, found, upload, refusal) =>
    expect(await given(found).when(upload)).toEqual(refusal),
  )

  it.each(Object.entries(ZIP_FAULTS))(
    'an uploaded file is refused as a zip in a sentence that names the file: %s',
    async (fault, says) => {
      const refuse = (file: string | null) =>
        given({ archive: { fault: fault as ZipFault, file } }).when(plain, { name: 'sale.zip' })
      expect(await refuse('img/a.fla')).toEqual([2, says.replace('FILE', 'img/a.fla')])
      expect(await refuse(null)).toEqual([2, says.replace('FILE', 'sale.zip')])
      for (const language of ['en', 'ru']) {
        const path = new URL(`../../../web/i18n/locales/${language}/faults.json`, import.meta.url)
        const texts: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))
        const text = texts[`archive${fault.charAt(0).toUpperCase()}${fault.slice(1)}`]
        expect([language, text?.includes('{{file}}')]).toEqual([language, says.includes('FILE')])
      }
    },
  )

  it('an uploaded file is named within a sentence in a hundred characters, none of which is hidden or reorders it', async () => {
    const file = `img/\u202egnp.${'a'.repeat(400)}\n.fla`
    const [, says] = (await given({ archive: { fault: 'forbiddenFile', file } }).when(plain)) as [number, string]
    expect(says).toMatch(/^A banner cannot use img\/\uFFFDgnp\.a{91}\. Remove it/)
  })

  it.each<[kind: string, found: Found, upload: typeof audio, most: number, refusal: readonly unknown[]]>([
    ['an image', { image: size(9, 9) }, plain, 499_999, [8, 'Original image is too big, must be under 500000 bytes']], // covers CAM-CVAL-45 CAM-ERR-54
    ['a zip', { archive: {} }, plain, 10 * MIB, [181, 'A zip should be up to 10 MB']],
    ['a track', { seconds: 20 }, audio, 20 * MIB, [181, 'An audio file should be up to 20 MB']], // covers CAM-CVAL-34
    ['a video', { film: size(640, 360) }, video, 10 * MIB, [181, 'video should be up to 10 MB']], // covers CAM-CVAL-24 CAM-CVAL-25
  ])('an uploaded file may have so many bytes and not one more: %s', async (_, found, upload, most, refusal) => {
    const of = (length: number) => ({ bytes: Buffer.alloc(length, found.archive === undefined ? 'x' : 'PK') })
    // Comparing element by element would take seconds.
    const [kept, over] = [of(most), await given(found).when(upload, of(most + 1))]
    const stored = (await given(found).when(upload, kept)) as NewFile
    expect([stored.bytes === kept.bytes, over]).toEqual([true, refusal])
    expect(await given(found).when(upload, { cut: true })).toEqual(refusal)
  })
})
