import type { FastifyRequest } from 'fastify'
import '@fastify/multipart'
import { Refused, refused } from '#commands/refused'

/** Reads a multipart body. A truncated or malformed body is the client's error. */
export async function readParts<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refused || (error instanceof Error && 'statusCode' in error)) throw error
    throw refused(2, [{ path: 'file', code: 2, message: 'The multipart body cannot be read' }])
  }
}

/** Bytes of a file that is copied to a thread. */
const SMALL = 1024 ** 2

/** A received file. `cut` is true when it exceeded the call's limit. */
export type Incoming = { readonly bytes: Buffer; readonly name: string; readonly cut: boolean }

/** The one file of an upload; `limit` in bytes. */
export const theFile = (request: FastifyRequest, limit: number): Promise<Incoming> => readParts(() => readFile(request, limit))

/**
 * The one file of a multipart body. A stream cut at its limit looks complete: check its flag (413 then, never a partial file).
 */
async function readFile(request: FastifyRequest, limit: number): Promise<Incoming> {
  if (!request.isMultipart()) throw refused(2, [{ path: 'file', code: 2, message: 'A multipart body with a file is expected' }])
  const limits = { fileSize: limit, files: 1, fields: 10, parts: 12 }
  const part = await request.file({ limits }).catch(() => undefined)
  if (part === undefined) throw refused(2, [{ path: 'file', code: 2, message: 'Field is required.', key: 'required' }])
  const declared = Number(request.headers['content-length'] ?? limit)
  const bytes = await gathered(part.file, Math.min(limit, declared))
  return { bytes, name: nameOf(part.filename), cut: part.file.truncated }
}

/**
 * The bytes of a file, which are `most` at most. Threads read those of a large file where they are: a copy, or one piece made of all
 * chunks at the end, would keep the calls of others waiting.
 */
async function gathered(file: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const all = Buffer.from(most > SMALL ? new SharedArrayBuffer(most) : new ArrayBuffer(most))
  let at = 0
  for await (const chunk of file) at += chunk.copy(all, at)
  return all.subarray(0, at)
}

/** A file name that can be stored; refuses with 2 characters that PostgreSQL cannot store. */
function nameOf(sent: string | undefined): string {
  const name = sent ?? ''
  if (name.includes('\0') || !name.isWellFormed())
    throw refused(2, [
      { path: 'file', code: 2, message: 'The name of the file must not hold NUL characters or broken surrogates' },
    ])
  return name
}
