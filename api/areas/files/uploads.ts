import { ICON, isVideoSize, LANDSCAPE, SQUARE, TRACK_SECONDS } from '#domain/campaign/content/media-rules'
import type { SentenceKey } from '#domain/campaign/saving/faults'
import type { ErrorCode, Fault } from '#domain/kit/errors'
import { entryType } from './entry-type.ts'
import { refusedFile } from '#commands/files/file-fault'
import { ARCHIVE_LIMIT, IMAGE_LIMIT, SOUND_LIMIT, VIDEO_LIMIT, type CleanImage, type Media } from '#commands/files/media'
import type { Incoming } from '#api/http/multipart'
import type { FileRecord, NewFile, Owner, StoredFiles } from '#platform/files/stored-files'

type Size = { readonly width: number; readonly height: number }

export type UploadDeps = { readonly media: Media; readonly files: StoredFiles }

const ZIP_MAGIC = 'PK'
const isArchive = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === ZIP_MAGIC

const fault = (code: ErrorCode, key: SentenceKey, params?: Fault['params']) => refusedFile('file', code, key, params)

/** What may be uploaded (campaigns.md §5). Files are judged by content; a refused file leaves nothing stored. */
export function createUploads({ media, files }: UploadDeps) {
  const store = (file: NewFile, { name }: Incoming, owner: Owner): Promise<FileRecord> => files.add(file, name, owner)

  async function imageOf({ bytes, cut }: Incoming): Promise<CleanImage> {
    if (cut || bytes.length >= IMAGE_LIMIT) throw fault(8, 'imageBytes')
    const image = await media.images.inspect(bytes)
    if (image === null) throw fault(2, 'notAnImage')
    return image
  }

  async function archive(incoming: Incoming, size: Size | null, owner: Owner): Promise<FileRecord> {
    if (incoming.cut || incoming.bytes.length > ARCHIVE_LIMIT) throw fault(181, 'archiveBytes')
    const found = await media.archive(incoming.bytes)
    if ('fault' in found) throw fault(2, found.fault === 'noIndex' ? 'archiveNoIndex' : 'archiveUnsafe', { reason: found.fault })
    const entries = found.files.map(({ path, bytes }) => ({ path, bytes, contentType: entryType(path) }))
    const file: NewFile = {
      bytes: incoming.bytes,
      contentType: 'application/zip',
      width: size?.width ?? null,
      height: size?.height ?? null,
      seconds: null,
      entries,
      warnings: found.clickLinks ? ['clickLinks'] : [],
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
      if (sound.seconds < TRACK_SECONDS.min) throw fault(2, 'audioTooShort')
      if (sound.seconds > TRACK_SECONDS.max) throw fault(2, 'audioTooLong')
      return store({ bytes, contentType: 'audio/mpeg', width: null, height: null, seconds: sound.seconds }, incoming, owner)
    },

    async video(incoming: Incoming, owner: Owner): Promise<FileRecord> {
      const { bytes, cut } = incoming
      if (cut || bytes.length > VIDEO_LIMIT) throw fault(181, 'videoBytes')
      const film = await media.film(bytes)
      if (film === null) throw fault(2, 'invalidVideo')
      if (!isVideoSize(film)) throw fault(2, 'videoSize')
      return store({ bytes, ...film }, incoming, owner)
    },
  }
}

/** The native size closest in shape to the image. */
function nearest({ width, height }: Size): Size {
  const square = width <= 256 && height <= 256 ? ICON : SQUARE
  return Math.abs(width / height - 1) < 0.4 ? square : LANDSCAPE
}
