import {
  ICON,
  isVideoSize,
  LANDSCAPE,
  SQUARE,
  TRACK_SECONDS,
  TRACK_TOLERANCE,
  VIDEO_SECONDS,
} from '#domain/campaign/content/media-rules'
import type { SentenceKey } from '#domain/kit/faults'
import type { ErrorCode, Fault } from '#domain/kit/errors'
import { beginning } from '#domain/kit/text'
import { entryType } from './entry-type.ts'
import { refusedFile } from '#commands/files/file-fault'
import { bannerWarnings } from '#domain/campaign/content/banner-warnings'
import { ARCHIVE_LIMIT, IMAGE_LIMIT, SOUND_LIMIT, VIDEO_LIMIT, type CleanImage, type Media } from '#commands/files/media'
import type { ZipFault } from '#commands/files/zip-fault'
import type { Incoming } from '#api/http/multipart'
import type { FileRecord, NewFile, Owner, StoredFiles } from '#platform/files/stored-files'

type Size = { readonly width: number; readonly height: number }

export type UploadDeps = { readonly media: Media; readonly files: StoredFiles }

const ZIP_MAGIC = 'PK'
const isArchive = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === ZIP_MAGIC

const fault = (code: ErrorCode, key: SentenceKey, params?: Fault['params']) => refusedFile('file', code, key, params)

const ARCHIVE_FAULTS: Readonly<Record<ZipFault, SentenceKey>> = {
  notAZip: 'archiveNotAZip',
  noIndex: 'archiveNoIndex',
  tooManyEntries: 'archiveTooManyEntries',
  tooLarge: 'archiveTooLarge',
  suspiciousRatio: 'archiveSuspiciousRatio',
  unsafePath: 'archiveUnsafePath',
  link: 'archiveLink',
  encrypted: 'archiveEncrypted',
  unsupported: 'archiveUnsupported',
  duplicate: 'archiveDuplicate',
  forbiddenFile: 'archiveForbiddenFile',
  polyglot: 'archivePolyglot',
  corrupt: 'archiveCorrupt',
}

/** The name of a file within a sentence: short, and without characters that do not show or that reorder the sentence. */
const shownName = (name: string): string => beginning(name.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD'), 100)

/** Rules of uploads (campaigns.md §5). Files are judged by content; a refused file leaves nothing stored. */
export function createUploads({ media, files }: UploadDeps) {
  const store = (file: NewFile, { name }: Incoming, owner: Owner): Promise<FileRecord> => files.add(file, name, owner)

  async function imageOf({ bytes, cut }: Incoming): Promise<CleanImage> {
    if (cut || bytes.length >= IMAGE_LIMIT) throw fault(8, 'imageBytes')
    const image = await media.images.inspect(bytes)
    if (image === null) throw fault(2, 'notAnImage')
    if ('fault' in image) throw fault(2, image.fault, image.params)
    return image
  }

  async function archive(incoming: Incoming, size: Size | null, owner: Owner): Promise<FileRecord> {
    if (incoming.cut || incoming.bytes.length > ARCHIVE_LIMIT) throw fault(181, 'archiveBytes')
    const found = await media.archive(incoming.bytes)
    if ('fault' in found) throw fault(2, ARCHIVE_FAULTS[found.fault], { file: shownName(found.file || incoming.name) })
    const entries = found.files.map(({ path, bytes }) => ({ path, bytes, contentType: entryType(path) }))
    const file: NewFile = {
      bytes: incoming.bytes,
      contentType: 'application/zip',
      width: size?.width ?? null,
      height: size?.height ?? null,
      seconds: null,
      entries,
      warnings: bannerWarnings(found),
    }
    return store(file, incoming, owner)
  }

  return {
    /** An image of this size, or a larger one of the same ratio, which is scaled down; or an HTML banner as zip. */
    async banner(incoming: Incoming, { width, height }: Size, owner: Owner): Promise<FileRecord> {
      const { bytes } = incoming
      if (isArchive(bytes)) return archive(incoming, { width, height }, owner)
      const image = await imageOf(incoming)
      const fits = image.width === width && image.height === height
      const larger = image.width >= width && image.height >= height && image.width * height === image.height * width
      if (!fits && !larger) throw fault(2, 'bannerDimensions', { width, height })
      if (!fits && image.contentType === 'image/png' && image.frames > 1) throw fault(2, 'animatedPng', { width, height })
      const kept = fits
        ? { bytes: image.bytes, contentType: image.contentType }
        : await media.images.resize(image.bytes, width, height)
      return store({ ...kept, width, height, seconds: null }, incoming, owner)
    },

    /** An image or an HTML banner of any size: logos, responsive advertisements, pictures of people. */
    async plain(incoming: Incoming, owner: Owner): Promise<FileRecord> {
      if (isArchive(incoming.bytes)) return archive(incoming, null, owner)
      return store({ ...(await imageOf(incoming)), seconds: null }, incoming, owner)
    },

    /** A picture of a native advertisement: exactly landscape, square or icon; `wanted` names the one the caller expects. */
    async native(incoming: Incoming, wanted: Size | null, owner: Owner): Promise<FileRecord> {
      const image = await imageOf(incoming)
      const offered = wanted === null ? [LANDSCAPE, SQUARE, ICON] : [wanted]
      if (!offered.some(({ width, height }) => image.width === width && image.height === height)) {
        const { width, height } = wanted ?? nearest(image)
        throw width === 250 && height === 250 ? fault(2, 'imageSize250') : fault(2, 'imageSize', { width, height })
      }
      return store({ ...image, seconds: null }, incoming, owner)
    },

    async audio(incoming: Incoming, owner: Owner): Promise<FileRecord> {
      const { bytes, cut } = incoming
      if (cut || bytes.length > SOUND_LIMIT) throw fault(181, 'audioBytes')
      const sound = await media.sound(bytes)
      if (sound === null) throw fault(2, 'invalidAudio')
      const { min, max } = TRACK_SECONDS
      if (sound.seconds < min - TRACK_TOLERANCE) throw fault(2, 'audioTooShort')
      if (sound.seconds > max + TRACK_TOLERANCE) throw fault(2, 'audioTooLong')
      const seconds = Math.min(max, Math.max(min, sound.seconds))
      return store({ bytes, contentType: 'audio/mpeg', width: null, height: null, seconds }, incoming, owner)
    },

    async video(incoming: Incoming, owner: Owner): Promise<FileRecord> {
      const { bytes, cut } = incoming
      if (cut || bytes.length > VIDEO_LIMIT) throw fault(181, 'videoBytes')
      const film = await media.film(bytes)
      if (film === null) throw fault(2, 'invalidVideo')
      if ('fault' in film) throw fault(2, film.fault, film.params)
      if (!isVideoSize(film)) throw fault(2, 'videoSize')
      if (film.seconds < VIDEO_SECONDS.min) throw fault(2, 'videoTooShort')
      return store({ bytes, ...film }, incoming, owner)
    },
  }
}

/** The native size closest in shape to the image. */
function nearest({ width, height }: Size): Size {
  const square = width <= 256 && height <= 256 ? ICON : SQUARE
  return Math.abs(width / height - 1) < 0.4 ? square : LANDSCAPE
}
