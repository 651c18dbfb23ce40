import { describe, expect, it } from 'vitest'
import { Refused } from '#commands/refused'
import type { BannerArchive, ImageFacts, Media, VideoFacts } from '#commands/files/media'
import type { Incoming } from '#api/http/multipart'
import type { NewFile } from '#platform/files/stored-files'
import { createUploads } from './uploads.ts'

type Size = { readonly width: number; readonly height: number }
const OWNER = { spaceId: 's', userId: 'u' }
const MIB = 1024 ** 2

/** What the inspectors find in the file; nothing without it. */
type Found = {
  readonly image?: Size
  readonly seconds?: number
  readonly film?: Size
  readonly archive?: Partial<BannerArchive> | { readonly fault: string }
}
const png = (size: Size): ImageFacts => ({ contentType: 'image/png', ...size })

function given({ image, seconds, film, archive }: Found) {
  const stored: NewFile[] = []
  const media = {
    images: {
      inspect: async (bytes: Buffer) => (image === undefined ? null : { ...png(image), bytes }),
      resize: async () => ({ bytes: Buffer.from('smaller'), contentType: 'image/png' }),
    },
    sound: async () => (seconds === undefined ? null : { seconds }),
    film: async (): Promise<VideoFacts | null> =>
      film === undefined ? null : { ...png(film), contentType: 'video/mp4', seconds: 5 },
    archive: async () => ({ files: [], clickLinks: false, ...archive }),
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
    ['a landscape', { image: size(1200, 627) }, native(null), { width: 1200 }],
    ['a square', { image: size(600, 600) }, native(null), { width: 600 }],
    ['an icon', { image: size(128, 128) }, native(null), { width: 128 }],
    ['a track of 15 seconds', { seconds: 15 }, audio, { contentType: 'audio/mpeg', seconds: 15 }], // covers CAM-CVAL-32
    ['a track of 30 seconds', { seconds: 30 }, audio, { seconds: 30 }], // covers CAM-CVAL-33
    ['a small video', { film: size(480, 360) }, video, { width: 480 }],
    ['a medium video', { film: size(640, 360) }, video, { width: 640 }],
    ['a wide video', { film: size(1920, 800) }, video, { width: 1920 }],
  ])('is stored: %s', async (_, found, upload, stored) => expect(await given(found).when(upload)).toMatchObject(stored))

  it.each<[what: string, found: Found, upload: typeof audio, refusal: readonly unknown[]]>([
    ['a smaller banner', { image: size(160, 25) }, banner(320, 50), [2, 'the banner dimensions should be 320x50']], // covers CAM-CVAL-41
    ['a banner of another ratio', { image: size(500, 500) }, banner(320, 50), [2, 'the banner dimensions should be 320x50']], // covers CAM-CVAL-40
    ['no image', {}, plain, [2, 'The file is not a valid image']],
    [
      'a zip without index.html at its root',
      { archive: { fault: 'noIndex' } },
      banner(320, 50),
      [2, 'The zip should have index.html at its root'],
    ], // covers CAM-CVAL-43
    ['an unsafe zip', { archive: { fault: 'link' } }, plain, [2, 'The zip cannot be used as a banner (link)']],
    ['a landscape a pixel off', { image: size(1200, 628) }, native(null), sized(1200, 627)], // covers CAM-CVAL-18 CAM-CVAL-21
    ['a square a pixel off', { image: size(601, 600) }, native(null), sized(600, 600)], // covers CAM-CVAL-19
    ['an icon a pixel off', { image: size(127, 128) }, native(null), sized(128, 128)], // covers CAM-CVAL-20
    ['a square where an icon is wanted', { image: size(600, 600) }, native(size(128, 128)), sized(128, 128)],
    ['an image for a slot of 250', { image: size(100, 100) }, native(size(250, 250)), [2, 'The image should have 250x250 size.']], // covers CAM-CVAL-22
    [
      'a short track',
      { seconds: 14 },
      audio,
      [2, "Oops! Your audio is too short. Please upload an MP3 file that's at least 15 seconds long."],
    ], // covers CAM-CVAL-32 CAM-CVAL-36
    [
      'a long track',
      { seconds: 31 },
      audio,
      [2, expect.stringMatching(/^Oops! Your audio is too long\. .* at most 30 seconds long\.$/)],
    ], // covers CAM-CVAL-33 CAM-CVAL-37
    ['no track', {}, audio, [2, expect.stringMatching(/^Uh-oh! It seems like the file you uploaded isn't a valid MP3/)]], // covers CAM-CVAL-31 CAM-CVAL-38
    ['a video of another size', { film: size(1280, 720) }, video, [2, expect.stringMatching(/^Invalid dimensions/)]], // covers CAM-CVAL-26 CAM-CVAL-27
    ['no video', {}, video, [2, 'The file is not a valid MP4 or WebM video']],
  ])('is refused: %s', async (_, found, upload, refusal) => expect(await given(found).when(upload)).toEqual(refusal))

  it.each<[kind: string, found: Found, upload: typeof audio, most: number, refusal: readonly unknown[]]>([
    ['an image', { image: size(9, 9) }, plain, 499_999, [8, 'Original image is too big, must be under 500000 bytes']], // covers CAM-CVAL-45 CAM-ERR-54
    ['a zip', { archive: {} }, plain, 10 * MIB, [181, 'A zip should be up to 10 MB']],
    ['a track', { seconds: 20 }, audio, 20 * MIB, [181, 'An audio file should be up to 20 MB']], // covers CAM-CVAL-34
    ['a video', { film: size(640, 360) }, video, 10 * MIB, [181, 'video should be up to 10 MB']], // covers CAM-CVAL-24 CAM-CVAL-25
  ])('may have so many bytes and not one more: %s', async (_, found, upload, most, refusal) => {
    const of = (length: number) => ({ bytes: Buffer.alloc(length, found.archive === undefined ? 'x' : 'PK') })
    // Comparing element by element would take seconds.
    const [kept, over] = [of(most), await given(found).when(upload, of(most + 1))]
    const stored = (await given(found).when(upload, kept)) as NewFile
    expect([stored.bytes === kept.bytes, over]).toEqual([true, refusal])
    expect(await given(found).when(upload, { cut: true })).toEqual(refusal)
  })
})
