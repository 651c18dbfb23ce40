import { concat, sha256, type Bytes } from './bytes.ts'

/** A line of an export without its line break. `isCut`: none ends it. */
export type Line = { readonly bytes: Bytes; readonly isCut: boolean }

/** Longest line that is read, bytes. */
const LONGEST = 64 * 1024 * 1024
const LINE_FEED = 10

/** Splits a stream of bytes into lines. Throws RangeError at a line that is too long for a file of this form. */
export async function* linesOf(source: ReadableStream<Uint8Array>, progress: (read: number) => void): AsyncGenerator<Line> {
  const reader = source.getReader()
  let pending: Uint8Array[] = []
  let waiting = 0
  let read = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      read += value.length
      let from = 0
      for (let end = value.indexOf(LINE_FEED); end !== -1; end = value.indexOf(LINE_FEED, from)) {
        yield { bytes: concat(...pending, value.subarray(from, end)), isCut: false }
        pending = []
        waiting = 0
        from = end + 1
      }
      if (from < value.length) {
        pending.push(value.subarray(from))
        waiting += value.length - from
      }
      if (waiting > LONGEST) throw new RangeError('a line is too long')
      progress(read)
    }
    if (waiting > 0) yield { bytes: concat(...pending), isCut: true }
  } finally {
    // Also when the reader stops at a fault: the source is closed.
    await reader.cancel().catch(() => undefined)
  }
}

/** Bytes of a block. */
export const BLOCK_BYTES = 1024 * 1024

/**
 * The SHA-256 of every mebibyte of the lines. WebCrypto hashes whole texts alone, and a file may be larger than the memory: so blocks are
 * hashed, and then their hashes.
 */
export function createBlockHashes() {
  const block = new Uint8Array(BLOCK_BYTES)
  let filled = 0
  const hashes: Bytes[] = []
  /** The first line that has bytes in a block. */
  const firstLines: number[] = []

  async function add(bytes: Uint8Array, line: number): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (filled === 0) firstLines.push(line)
      const part = bytes.subarray(at, at + BLOCK_BYTES - filled)
      block.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === BLOCK_BYTES) await end()
    }
  }
  async function end(): Promise<void> {
    if (filled === 0) return
    hashes.push(await sha256(block.slice(0, filled)))
    filled = 0
  }
  return {
    add: async (line: Uint8Array, number: number): Promise<void> => {
      await add(line, number)
      await add(Uint8Array.of(LINE_FEED), number)
    },
    /** The hashes of all blocks, the last of which may be shorter, and the lines where they begin. */
    async all(): Promise<{ readonly hashes: readonly Bytes[]; readonly firstLines: readonly number[] }> {
      await end()
      return { hashes, firstLines }
    },
  }
}
