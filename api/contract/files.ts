import type { FileRole } from '#domain/campaign/content/creatives'
import { endpoint, named, position } from './http.ts'
import { z } from './zod.ts'

/** Warnings of a stored file's upload, separated by commas; absent without any. */
export const WARNINGS_HEADER = 'X-File-Warnings'
/** Frames per second of a stored video; absent for other files, and where it is not known. */
export const FRAME_RATE_HEADER = 'X-File-Frame-Rate'

export const storedFile = named(
  'StoredFile',
  z.object({
    file_id: z.string(),
    file_url: z.string(),
    /** Pixels; null for sound, and for an archive that was uploaded without a size. */
    width: z.nullable(z.number()),
    height: z.nullable(z.number()),
    /** Bytes. */
    size: z.number(),
    content_type: z.string(),
    /** png 1, jpg 2, gif 3, svg 4, ico 5, webp 6; null for other types. */
    format_key: z.nullable(z.number()),
    /** Seconds; null for types without a duration. */
    duration: z.nullable(z.number()),
    /** Frames per second of a video, on average; null for other types, and where it is not known. */
    frame_rate: z.nullable(z.number()),
    /** Bits per second of a video with its sound, on average; null for other types. */
    bit_rate: z.nullable(z.number()),
    name: z.string(),
    /** Where an HTML banner plays; null for anything else. */
    preview_url: z.nullable(z.string()),
    /**
     * Of an HTML banner. `clickLinks`: it leads to an address of its own, so clicks on it are not counted. `externalFiles:HOST`: it
     * loads files from this host, which its frame refuses. Of a video. `av1`: not every browser and exchange plays it.
     */
    warnings: z.array(z.string()),
    position,
  }),
)
export type StoredFile = z.output<typeof storedFile>

const space_id = z.optional(z.string())
const pixels = z.coerce.number().check(z.int(), z.gte(1), z.lte(4000))

/** Uploads are multipart with one file; its content determines its type (campaigns.md §5, fine print 26). */
const upload = {
  method: 'POST',
  access: 'campaign.write',
  body: 'multipart',
  output: storedFile,
  write: true,
  reads: [],
} as const

export const uploadBanner = endpoint({
  ...upload,
  id: 'file.upload2',
  path: '/v1/file/upload2',
  summary:
    'Upload a banner: an image of the given size, or larger with the same aspect ratio (under 500,000 bytes; an animated PNG only of the size), or a zip with index.html (10 MiB)',
  query: z.object({ width: pixels, height: pixels, space_id }),
})

export const uploadImage = endpoint({
  ...upload,
  id: 'file.upload3',
  path: '/v1/file/upload3',
  summary: 'Upload an image of any size (under 500,000 bytes), or a zip with index.html (10 MiB)',
  query: z.object({ space_id }),
})

export const uploadNative = endpoint({
  ...upload,
  id: 'file.native',
  path: '/v1/file/native',
  summary: 'Upload an image of a native advertisement: 1200x627, 600x600 or 128x128, or the one the query names',
  query: z.object({ width: z.optional(pixels), height: z.optional(pixels), space_id }),
})

export const uploadAudio = endpoint({
  ...upload,
  id: 'file.audio',
  path: '/v1/file/audio',
  summary: 'Upload an MP3 of 15 to 30 seconds, give or take a tenth for what encoders add, 20 MiB at most',
  query: z.object({ space_id }),
})

export const uploadVideo = endpoint({
  ...upload,
  id: 'file.video',
  path: '/v1/file/video',
  summary:
    'Upload an MP4 or WebM (H.264, VP8, VP9 or AV1, 4:2:0 with 8 bits) of 480x360, 640x360 or 1920x800 as shown, a second long at least, 10 MiB at most',
  query: z.object({ space_id }),
})

export const readFile = endpoint({
  id: 'file.cache',
  reads: [],
  method: 'GET',
  path: '/v1/file/cache/:id',
  access: 'public',
  summary:
    'A stored file; ranges are understood. Before a review approved it, with the token of an answer or by a user who may read it',
  params: z.object({ id: z.string() }),
  query: z.object({ token: z.optional(z.string()) }),
  output: z.unknown(),
  raw: true,
  userContent: true,
  ranged: true,
})

export const playBanner = endpoint({
  id: 'file.banner',
  reads: [],
  method: 'GET',
  path: '/v1/file/banner/:id/*',
  access: 'public',
  summary:
    "A file of an HTML banner, for frames alone; its scripts run in a sandbox, in no origin. `clickTag` is the click address for a page's scripts; a click posts `{type: 'placard:click'}` to the page around the frame, which opens the address",
  params: z.object({ id: z.string(), '*': z.string() }),
  query: z.object({ clickTag: z.optional(z.string()) }),
  output: z.unknown(),
  raw: true,
  userContent: true,
  ranged: true,
})

const ROLES = [
  'banner',
  'track',
  'dynamicImage',
  'dynamicLogo',
  'nativeImage',
  'nativeLogo',
  'nativeVideo',
  'video',
  'companion',
] as const satisfies readonly FileRole[]

export const libraryFile = named(
  'LibraryFile',
  z.object({
    file_id: z.string(),
    file_url: z.string(),
    name: z.string(),
    kind: z.enum(['image', 'html', 'video', 'audio']),
    content_type: z.string(),
    /** Pixels; null for sound. */
    width: z.nullable(z.number()),
    height: z.nullable(z.number()),
    /** Bytes. */
    size: z.number(),
    /** Seconds; null for types without a duration. */
    duration: z.nullable(z.number()),
    preview_url: z.nullable(z.string()),
    warnings: z.array(z.string()),
    /** The newest save of a campaign that has it. */
    used_at: z.string(),
    /** Number of campaigns whose newest content has it. */
    campaigns: z.number(),
    /** A review approved content with it. */
    reviewed: z.boolean(),
  }),
)

export const fileLibrary = endpoint({
  id: 'file.library',
  reads: ['campaign-list'],
  method: 'GET',
  path: '/v1/file/library',
  access: 'campaign.read',
  summary: 'Files that campaigns of an account use as creatives, the last used first (fine print 106)',
  query: z.object({
    space_id,
    name: z.optional(z.string().check(z.maxLength(300))),
    kind: z.optional(z.enum(['image', 'html', 'video', 'audio'])),
    /** Only files that fit this place of a campaign. */
    role: z.optional(z.enum(ROLES)),
    width: z.optional(pixels),
    height: z.optional(pixels),
    /** `next` of the page before. */
    after: z.optional(z.string().check(z.regex(/^[0-9TZ:.-]{20,30}_[\w-]{1,64}$/))),
    page_size: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 24),
  }),
  /** `next`: for `after` of the next page; null at the end. */
  output: z.object({ files: z.array(libraryFile), next: z.nullable(z.string()) }),
})

export const FILE_ENDPOINTS = [
  fileLibrary,
  uploadBanner,
  uploadImage,
  uploadNative,
  uploadAudio,
  uploadVideo,
  readFile,
  playBanner,
]
