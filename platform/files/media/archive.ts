import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { entryFault, isIgnored, pathOf } from './archive-entry.ts'
import { endOfZip } from './archive-end.ts'
import type { ZipFault } from './archive-fault.ts'
import { hasOwnLinks } from './own-links.ts'

/** An unpacked HTML5 banner; `index.html` is one of its files. */
export type BannerZip = {
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[]
  readonly unpackedBytes: number
  /** Whether one of its pages links to an address of its own, bypassing the campaign's click address. */
  readonly clickLinks: boolean
}

const MAX_ENTRIES = 500
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024
/** Of pages, which are searched for links. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024
/** Small files may shrink as they like: a hundred spaces are no bomb. */
const RATIO_FROM_BYTES = 1024 * 1024
const MAX_RATIO = 100
const STORED = 0

const isPage = ({ path }: { readonly path: string }): boolean => /\.html?$/i.test(path)

type Listed = { readonly path: string; readonly entry: Entry }

/**
 * Unpacks a banner into memory, or returns the first reason not to. The archive's description of itself is checked before
 * unpacking, and nothing is unpacked beyond it. Folders and files added by macOS do not count as files. Never rejects. Works in
 * one go, in a thread.
 */
export async function inspectBannerZip(bytes: Buffer): Promise<BannerZip | { readonly fault: ZipFault }> {
  try {
    const end = endOfZip(bytes)
    if (typeof end === 'string') return { fault: end }
    if (end.entries > MAX_ENTRIES) return { fault: 'tooManyEntries' }
    // Names are decoded here, not in the library, so that an invalid one has its own fault.
    const zip = await fromBufferPromise(bytes, { validateEntrySizes: true, strictFileNames: true, decodeStrings: false })
    const listed = await listFiles(zip, end.directoryBytes)
    if (typeof listed === 'string') return { fault: listed }
    const fault = listFault(listed)
    if (fault !== null) return { fault }
    return await unpack(zip, bytes, listed)
  } catch (error) {
    // The one kind of encryption that is refused there before the entry is seen here.
    return { fault: error instanceof Error && error.message.startsWith('strong encryption') ? 'encrypted' : 'corrupt' }
  }
}

async function listFiles(zip: ZipFile, directoryBytes: number): Promise<readonly Listed[] | ZipFault> {
  const taken = new Set<string>()
  const files: Listed[] = []
  let readBytes = 0
  let firstAt = Infinity
  for await (const entry of zip.eachEntry()) {
    const path = pathOf(entry)
    const fault = entryFault(entry, path)
    if (fault !== null) return fault
    const name = path.replace(/\/$/, '').normalize().toLowerCase()
    if (taken.has(name)) return 'duplicate'
    taken.add(name)
    readBytes += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    firstAt = Math.min(firstAt, entry.relativeOffsetOfLocalHeader)
    if (!isIgnored(path)) files.push({ path, entry })
  }
  // A list longer than its own count shows different files to different programs.
  if (readBytes !== directoryBytes) return 'corrupt'
  return firstAt > 0 && files.length > 0 ? 'polyglot' : files
}

function listFault(files: readonly Listed[]): ZipFault | null {
  const names = new Set(files.map(({ path }) => path.normalize().toLowerCase()))
  const isWithinFile = [...names].some((name) => [...name.matchAll(/\//g)].some(({ index }) => names.has(name.slice(0, index))))
  if (isWithinFile) return 'duplicate'
  const unpacked = (of: readonly Listed[]) => of.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
  if (unpacked(files) > MAX_UNPACKED_BYTES || unpacked(files.filter(isPage)) > MAX_PAGE_BYTES) return 'tooLarge'
  const isBomb = files.some(
    ({ entry }) => entry.uncompressedSize > RATIO_FROM_BYTES && entry.uncompressedSize > entry.compressedSize * MAX_RATIO,
  )
  if (isBomb) return 'suspiciousRatio'
  return files.some(({ path }) => path === 'index.html') ? null : 'noIndex'
}

async function unpack(zip: ZipFile, bytes: Buffer, listed: readonly Listed[]): Promise<BannerZip | { readonly fault: ZipFault }> {
  const files: { readonly path: string; readonly bytes: Buffer }[] = []
  // One after another, so that memory never holds more than what counts.
  for (const { path, entry } of listed) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const unpacked = unpackEntry(bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize), entry)
    if (unpacked.length !== entry.uncompressedSize || crc32(unpacked) !== entry.crc32) return { fault: 'corrupt' }
    files.push({ path, bytes: unpacked })
  }
  const clickLinks = files.some((file) => isPage(file) && hasOwnLinks(file.bytes.toString('utf8')))
  return { files, unpackedBytes: files.reduce((sum, file) => sum + file.bytes.length, 0), clickLinks }
}

/** Fails as soon as more is unpacked than the entry declares. Copies stored files, so that the archive can be freed. */
function unpackEntry(packed: Buffer, { compressionMethod, uncompressedSize }: Entry): Buffer {
  if (compressionMethod === STORED) return Buffer.from(packed)
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
}
