import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { isKnown } from './etag.ts'

/** A text that is compressed once for each encoding, when it is first requested in it. */
export type Encodable = { readonly body: Buffer; readonly etag: string; readonly encoded: Map<string, Buffer> }

export const encodable = (body: Buffer): Encodable => ({
  body,
  // Weak: the bytes differ by encoding.
  etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`,
  encoded: new Map(),
})

/** Answers 304 when the caller has this version, else the text in the smallest encoding that the caller accepts. */
export function sendEncoded(reply: FastifyReply, { body, etag, encoded }: Encodable, type: string): FastifyReply {
  const { headers } = reply.request
  void reply.headers({ 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' })
  if (isKnown(reply.request, etag)) return reply.code(304).send()
  const encoding = encodingOf(headers['accept-encoding'])
  void reply.type(type)
  if (encoding === null) return reply.send(body)
  const bytes = encoded.get(encoding) ?? ENCODERS[encoding](body)
  encoded.set(encoding, bytes)
  return reply.header('Content-Encoding', encoding).send(bytes)
}

const ENCODERS = {
  br: (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (body: Buffer) => gzipSync(body),
} as const

/** The smallest encoding that the browser accepts. */
function encodingOf(accepted: string | string[] | undefined): keyof typeof ENCODERS | null {
  const names = String(accepted ?? '')
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';', 1)[0]?.trim())
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : null
}
