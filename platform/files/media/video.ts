import { fileTypeFromBuffer } from 'file-type'
import { type MediaInfo, type MediaInfoResult, mediaInfoFactory, type VideoTrack } from 'mediainfo.js'
import type { MediaFault, VideoFacts } from '#commands/files/media'
import { isWholeMp4, isWholeWebm } from './containers.ts'
import { unplayable } from './video-codec.ts'

export type VideoInspector = {
  /**
   * Null for anything but a whole MP4 or WebM with pictures in it, a fault for a codec that browsers and exchanges do not play. Never
   * rejects.
   */
  inspect(bytes: Buffer): Promise<VideoFacts | MediaFault | null>
  /** Waits for the current inspection and frees the memory; the next file allocates it again. */
  close(): Promise<void>
}

const CHUNK_BYTES = 256 * 1024
/** The parser may jump around in a file; one that reads it more often than this runs in circles. */
const MAX_PASSES = 4

/** Inspects one file at a time: the parser is stateful. It is loaded with the first file and again after a failure. */
export function createVideoInspector(): VideoInspector {
  let parser: MediaInfo | null = null
  let last: Promise<unknown> = Promise.resolve()

  const queue = <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task)
    last = result.catch(() => undefined)
    return result
  }
  const parse = async (bytes: Buffer): Promise<MediaInfoResult | null> => {
    try {
      parser ??= await mediaInfoFactory({ chunkSize: CHUNK_BYTES })
      return await parser.analyzeData(bytes.length, inChunks(bytes))
    } catch {
      // Its memory may be in any state after a failure.
      parser = null
      return null
    }
  }

  return {
    async inspect(bytes) {
      const contentType = await wholeContainer(bytes)
      if (contentType === null) return null
      const result = await queue(async () => parse(bytes))
      return result === null ? null : factsOf(result, contentType)
    },
    close: async () =>
      queue(async () => {
        const open = parser
        parser = null
        open?.close()
      }),
  }
}

async function wholeContainer(bytes: Buffer): Promise<string | null> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (type?.mime === 'video/mp4') return isWholeMp4(bytes) ? type.mime : null
  if (type?.mime === 'video/webm') return isWholeWebm(bytes) ? type.mime : null
  return null
}

function inChunks(bytes: Buffer): (size: number, offset: number) => Promise<Uint8Array> {
  let left = MAX_PASSES * (Math.ceil(bytes.length / CHUNK_BYTES) + 16)
  return async (size, offset) => {
    left -= 1
    if (left < 0) throw new Error('the parser does not advance')
    return bytes.subarray(offset, offset + size)
  }
}

function factsOf({ media }: MediaInfoResult, contentType: string): VideoFacts | MediaFault | null {
  const general = media?.track.find((track) => track['@type'] === 'General')
  const video = media?.track.find((track) => track['@type'] === 'Video')
  if (general === undefined || video === undefined || general.extra?.['IsTruncated'] === 'Yes') return null
  const { FrameRate: frameRate = null } = video
  // Sound may last longer than the pictures.
  const seconds = Math.min(...[general.Duration, video.Duration].map((value) => value ?? Infinity))
  const { width, height } = shown(video)
  if (![width, height, seconds].every((value) => Number.isFinite(value) && value > 0)) return null
  const codec = unplayable(video)
  if (codec !== null) return { fault: 'videoCodec', params: { codec } }
  return { contentType, width, height, seconds, frameRate, warnings: video.Format === 'AV1' ? ['av1'] : [] }
}

/** Pixels as players show them: square, which makes one side longer, and rotated, as phones record sideways. */
function shown({ Width = 0, Height = 0, PixelAspectRatio = 1, Rotation = '0' }: VideoTrack): { width: number; height: number } {
  const width = Math.round(Width * Math.max(1, PixelAspectRatio))
  const height = Math.round(Height / Math.min(1, PixelAspectRatio))
  const isRotated = Math.round(Number(Rotation) / 90) % 2 !== 0
  return isRotated ? { width: height, height: width } : { width, height }
}
