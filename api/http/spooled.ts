import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { refused } from '#commands/refused'

/** Files written at once by this process: the source of each may hold a connection of the pool. */
const AT_ONCE = 2
const MOST_BYTES = 1024 ** 3

let writing = 0
const waiting: (() => void)[] = []

/**
 * The content of a source, read to its end at once and kept on disk: a client that reads slowly, or not at all, holds nothing of the
 * source. The file has no name and disappears with the process.
 */
export async function spooled(source: Readable): Promise<Readable> {
  if (writing >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else writing += 1
  try {
    return await written(source)
  } finally {
    const next = waiting.shift()
    if (next === undefined) writing -= 1
    else next()
  }
}

async function written(source: Readable): Promise<Readable> {
  const path = join(tmpdir(), `placard-download-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    let bytes = 0
    for await (const chunk of source as AsyncIterable<string | Buffer>) {
      const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      bytes += buffer.length
      if (bytes > MOST_BYTES)
        throw refused(2, [{ path: 'from_date', code: 2, message: 'The file is too large: choose a shorter period' }])
      await file.write(buffer, 0, buffer.length)
    }
    return file.createReadStream({ start: 0 })
  } catch (error) {
    await file.close()
    throw error
  }
}
