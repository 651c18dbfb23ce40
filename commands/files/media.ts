import type { Fault } from '#domain/kit/errors'
import type { SentenceKey } from '#domain/kit/faults'
import type { RefusedZip } from './zip-fault.ts'

/** Ports to file inspection. Each judges the bytes, whatever the file's name; null, or a fault, when they do not match. */

/** Why a file of the right kind is refused: the key of the sentence, and its parameters. */
export type MediaFault = { readonly fault: SentenceKey; readonly params?: Fault['params'] }

export type ImageFacts = { readonly contentType: string; readonly width: number; readonly height: number }
/** Pixels as the video is shown: rotated, and with square pixels. */
export type VideoFacts = ImageFacts & {
  readonly seconds: number
  /** Frames per second, on average; null when the file does not state it. */
  readonly frameRate: number | null
  /** `av1`: not every browser and exchange plays it. */
  readonly warnings: readonly 'av1'[]
}

/** An image as it may be stored: without metadata, in sRGB. An animation has more than one frame. */
export type CleanImage = ImageFacts & { readonly frames: number; readonly bytes: Buffer }

export type Images = {
  /**
   * The type, and the image without metadata; null unless the bytes are one whole image of a supported format, and nothing but what
   * phones write behind it.
   */
  readonly inspect: (bytes: Buffer) => Promise<CleanImage | MediaFault | null>
  /** All frames of a GIF or WebP in another size, with their delays and loops; of any other image the first. */
  readonly resize: (
    bytes: Buffer,
    width: number,
    height: number,
  ) => Promise<{ readonly bytes: Buffer; readonly contentType: string }>
  /** The given square of an image, or its middle, at this side length, as WebP. */
  readonly square: (
    bytes: Buffer,
    from: { readonly x: number; readonly y: number; readonly size: number } | null,
    side: number,
  ) => Promise<{ readonly bytes: Buffer; readonly contentType: string }>
  /** The first frame of an image as a PNG that fits into a box, never larger than it is; null for one that does not decode. */
  readonly flat: (bytes: Buffer, box: { readonly width: number; readonly height: number }) => Promise<Buffer | null>
  /** An SVG as PNG. */
  readonly draw: (svg: string) => Promise<Buffer>
}

export type BannerFile = { readonly path: string; readonly bytes: Buffer }

/** An unpacked HTML5 banner; `index.html` is one of its files. */
export type BannerArchive = {
  readonly files: readonly BannerFile[]
  /** Whether a page or a script leads to its own address, bypassing the campaign's click address. */
  readonly clickLinks: boolean
  /** Hosts from which it loads files, at most ten: its frame refuses them. */
  readonly externalHosts: readonly string[]
}

export type Media = {
  readonly images: Images
  readonly sound: (bytes: Buffer) => Promise<{ readonly seconds: number } | null>
  readonly film: (bytes: Buffer) => Promise<VideoFacts | MediaFault | null>
  /** Key of an image format (platform.md §3); null for other content types. */
  readonly formatKey: (contentType: string) => number | null
  readonly archive: (bytes: Buffer) => Promise<BannerArchive | RefusedZip>
}

export type BlobStore = {
  readonly put: (sha256: string, bytes: Buffer) => Promise<void>
  /** The whole file, checked against its hash. */
  readonly get: (sha256: string) => Promise<Buffer>
  /** Bytes of the stored file, without reading it; null when it is missing. */
  readonly length: (sha256: string) => Promise<number | null>
  /** A part of the file, unchecked: hashing the whole for each part would let anyone overload the disk. */
  readonly range: (sha256: string, range: ByteRange) => Promise<Buffer>
  /** Removes the file; does nothing when it is missing. */
  readonly remove: (sha256: string) => Promise<void>
  /** Stores what others read from the store by a name of the product, such as `proof/checkpoint`; replaces what was there. */
  readonly publish: (name: string, bytes: Buffer) => Promise<void>
}

/** Throws unless a name stays within the store and apart from files, whose folders have two letters. */
export function checkPublishedName(name: string): void {
  if (!/^[a-z]{3,}(\/[a-z0-9-]+)+$/.test(name)) throw new Error(`${name} is not the name of a published file`)
}

/** A blob store that is reached over a network. */
export type RemoteBlobStore = BlobStore & {
  /** Asks whether files can be read and written, as the start does; rejects when they cannot. */
  readonly check: () => Promise<void>
  /** The same, more cheaply. */
  readonly ping: () => Promise<void>
  /** Whether an error means that the store is away or refuses everything. */
  readonly isAbsence: (error: unknown) => boolean
  /** Whether the store refused a call for now. */
  readonly isBusy: (error: unknown) => boolean
  /** Cause of an error, to complete "FILE_STORE_URL: …". Never holds a secret. */
  readonly causeOf: (error: unknown) => string
  readonly close: () => void
}

/** Offsets of the first and the last byte. */
export type ByteRange = { readonly from: number; readonly to: number }

/** Bytes. "Under" is exclusive, the others inclusive (decisions §0, fine print 26). */
export const IMAGE_LIMIT = 500_000
export const ARCHIVE_LIMIT = 10_485_760
export const VIDEO_LIMIT = 10_485_760
export const SOUND_LIMIT = 20_971_520
