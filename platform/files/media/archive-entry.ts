import { isUtf8 } from 'node:buffer'
import { type Entry, getFileNameLowLevel, validateFileName } from 'yauzl'
import type { ZipFault } from '#commands/files/zip-fault'

const EXTENSIONS = new Set(
  [
    ['html', 'htm', 'css', 'js', 'json', 'txt', 'xml', 'map'],
    ['svg', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico'],
    ['woff', 'woff2', 'ttf', 'otf', 'eot'],
    ['mp4', 'webm', 'mp3'],
  ].flat(),
)
const METHODS = [0, 8]
/** Encrypted, strongly encrypted, and a list of files that is encrypted itself. */
const ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000
const UTF8_FLAG = 0x0800
const KIND_BITS = 0o170_000
const FILE_KIND = 0o100_000
const FOLDER_KIND = 0o040_000

/** Programs on macOS write UTF-8 without saying so. */
export function pathOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_FLAG : generalPurposeBitFlag
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
}

/** Faults of an entry that its description shows. */
export function entryFault(entry: Entry, path: string): ZipFault | null {
  if (!isSafe(path)) return 'unsafePath'
  // Kind on Unix, where links and devices are entries like any other; nothing when packed elsewhere.
  const kind = (entry.externalFileAttributes >>> 16) & KIND_BITS
  if (kind !== 0 && kind !== (isFolder(path) ? FOLDER_KIND : FILE_KIND)) return 'link'
  if ((entry.generalPurposeBitFlag & ENCRYPTED_FLAGS) !== 0) return 'encrypted'
  if (!METHODS.includes(entry.compressionMethod)) return 'unsupported'
  return isIgnored(path) || EXTENSIONS.has(extensionOf(path)) ? null : 'forbiddenFile'
}

/** Folders, and files that macOS and Windows add. */
export const isIgnored = (path: string): boolean =>
  isFolder(path) || path.startsWith('__MACOSX/') || /(^|\/)(?:\.DS_Store|(?:ehthumbs|thumbs)\.db|desktop\.ini)$/i.test(path)

const isFolder = (path: string): boolean => path.endsWith('/')

/** Characters of a path, and names in it: long paths cost time, and no banner needs them. */
const MAX_PATH = 500
const MAX_DEPTH = 32

function isSafe(path: string): boolean {
  if (path.length > MAX_PATH) return false
  const names = path.replace(/\/$/, '').split('/')
  if (names.length > MAX_DEPTH) return false
  return validateFileName(path) === null && !/\p{Cc}/u.test(path) && !names.some((name) => ['', '.', '..'].includes(name))
}

const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
