import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import type { BannerArchive, BannerFile } from '#commands/files/media'
import type { RefusedZip, ZipFault } from '#commands/files/zip-fault'
import { entryFault, isIgnored, pathOf } from './archive-entry.ts'
import { endOfZip } from './archive-end.ts'
import { bannerAddresses, isPage } from './banner-addresses.ts'

/** An unpacked HTML5 banner. */
export type BannerZip = BannerArchive & { readonly unpackedBytes: number }

const MAX_ENTRIES = 500
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024
/** Size of pages, which are searched for links. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024
/** Small files may shrink as they like: a hundred spaces are no bomb. */
const RATIO_FROM_BYTES = 1024 * 1024
const MAX_RATIO = 100
const STORED = 0

type Listed = { readonly path: string; readonly entry: Entry }

const refusal = (fault: ZipFault, file: string | null = null): RefusedZip => ({ fault, file })

/**
 * Unpacks a banner into memory, or returns the first reason not to. The archive's description of itself is checked before
 * unpacking, and nothing is unpacked beyond it. Folders and files added by macOS and Windows do not count as files. Never rejects.
 * Works in one go, in a thread.
 */
export async function inspectBannerZip(bytes: Buffer): Promise<BannerZip | RefusedZip> {
  try {
    const end = endOfZip(bytes)
    if (typeof end === 'string') return refusal(end)
    if (end.entries > MAX_ENTRIES) return refusal('tooManyEntries')
    // Names are decoded here, not in the library, so that an invalid one has its own fault.
    const zip = await fromBufferPromise(bytes, { validateEntrySizes: true, strictFileNames: true, decodeStrings: false })
    const listed = await listFiles(zip, end.directoryBytes)
    if ('fault' in listed) return listed
    return listFault(listed) ?? (await unpack(zip, bytes, listed))
  } catch (error) {
    // The one kind of encryption that is refused there before the entry is seen here.
    return refusal(error instanceof Error && error.message.startsWith('strong encryption') ? 'encrypted' : 'corrupt')
  }
}

/** Where letter case does not count, two paths of one name are one file. */
const nameOf = (path: string): string => path.normalize().toLowerCase()

async function listFiles(zip: ZipFile, directoryBytes: number): Promise<readonly Listed[] | RefusedZip> {
  const taken = new Set<string>()
  const files: Listed[] = []
  let readBytes = 0
  let firstAt = Infinity
  for await (const entry of zip.eachEntry()) {
    const path = pathOf(entry)
    const fault = entryFault(entry, path)
    if (fault !== null) return refusal(fault, path)
    const name = nameOf(path.replace(/\/$/, ''))
    if (taken.has(name)) return refusal('duplicate', path)
    taken.add(name)
    readBytes += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    firstAt = Math.min(firstAt, entry.relativeOffsetOfLocalHeader)
    if (!isIgnored(path)) files.push({ path, entry })
  }
  // A list longer than its own count shows different files to different programs.
  if (readBytes !== directoryBytes) return refusal('corrupt')
  return firstAt > 0 && files.length > 0 ? refusal('polyglot') : files
}

function listFault(files: readonly Listed[]): RefusedZip | null {
  const names = new Set(files.map(({ path }) => nameOf(path)))
  const isWithinFile = (name: string) => [...name.matchAll(/\//g)].some(({ index }) => names.has(name.slice(0, index)))
  const within = files.find(({ path }) => isWithinFile(nameOf(path)))
  if (within !== undefined) return refusal('duplicate', within.path)
  const unpacked = (of: readonly Listed[]) => of.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
  if (unpacked(files) > MAX_UNPACKED_BYTES || unpacked(files.filter(isPage)) > MAX_PAGE_BYTES)
    return refusal('tooLarge', largest(files)?.path)
  const bomb = files.find(
    ({ entry }) => entry.uncompressedSize > RATIO_FROM_BYTES && entry.uncompressedSize > entry.compressedSize * MAX_RATIO,
  )
  if (bomb !== undefined) return refusal('suspiciousRatio', bomb.path)
  return files.some(({ path }) => path === 'index.html') ? null : refusal('noIndex')
}

const largest = (files: readonly Listed[]): Listed | undefined =>
  files.toSorted((one, other) => other.entry.uncompressedSize - one.entry.uncompressedSize)[0]

async function unpack(zip: ZipFile, bytes: Buffer, listed: readonly Listed[]): Promise<BannerZip | RefusedZip> {
  const files: BannerFile[] = []
  // One after another, so that memory never holds more than what counts.
  for (const { path, entry } of listed) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const unpacked = unpackEntry(bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize), entry)
    if (unpacked.length !== entry.uncompressedSize || crc32(unpacked) !== entry.crc32) return refusal('corrupt', path)
    files.push({ path, bytes: unpacked })
  }
  return { files, unpackedBytes: files.reduce((sum, file) => sum + file.bytes.length, 0), ...bannerAddresses(files) }
}

/** Fails as soon as more is unpacked than the entry declares. Copies stored files, so that the archive can be freed. */
function unpackEntry(packed: Buffer, { compressionMethod, uncompressedSize }: Entry): Buffer {
  if (compressionMethod === STORED) return Buffer.from(packed)
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) })
}
