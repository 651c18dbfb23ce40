import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  readonly path: string
  readonly bytes: Buffer | string
  readonly isStored?: boolean
  /** Values of the headers, correct or not. */
  readonly claims?: {
    readonly unpackedBytes?: number
    readonly crc32?: number
    readonly method?: number
    readonly flags?: number
    /** Permissions and kind as on Unix: 0o120777 is a symbolic link. */
    readonly mode?: number
  }
}

const FLAG_UTF8 = 0x0800
const MADE_ON_UNIX = 0x0314

/** A ZIP written by hand, so that a test can choose every header. */
export function zip(entries: readonly ZipEntry[], comment = ''): Buffer {
  const locals: Buffer[] = []
  const listed: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const { shared, path, packed, mode } = describe(entry)
    const local = Buffer.concat([u32(0x04034b50), shared, u16(0), path, packed])
    const place = Buffer.concat([u16(0, 0, 0), u32((mode * 0x10000) >>> 0, at)])
    listed.push(Buffer.concat([u32(0x02014b50), u16(MADE_ON_UNIX), shared, u16(0), place, path]))
    locals.push(local)
    at += local.length
  }
  const list = Buffer.concat(listed)
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0, 0, entries.length, entries.length),
    u32(list.length, at),
    u16(comment.length),
  ])
  return Buffer.concat([...locals, list, end, Buffer.from(comment, 'latin1')])
}

function describe({ path, bytes, isStored = false, claims = {} }: ZipEntry): {
  readonly shared: Buffer
  readonly path: Buffer
  readonly packed: Buffer
  readonly mode: number
} {
  const content = Buffer.from(bytes)
  const packed = isStored ? content : deflateRawSync(content)
  const name = Buffer.from(path)
  const { method = isStored ? 0 : 8, flags = 0, mode = path.endsWith('/') ? 0o040755 : 0o100644 } = claims
  const sizes = u32(claims.crc32 ?? crc32(content), packed.length, claims.unpackedBytes ?? content.length)
  const shared = Buffer.concat([u16(20, flags | FLAG_UTF8, method, 0, 0x21), sizes, u16(name.length)])
  return { shared, path: name, packed, mode }
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}
