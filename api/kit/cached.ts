import type { FastifyReply, FastifyRequest } from 'fastify'
import { success } from './envelope.ts'

/** Rarely changing data; its tag identifies the version. */
export type Tagged = { readonly etag: string; readonly data: unknown } | { readonly etag: string; readonly json: Buffer }

/** Whether the caller has the version with this tag: its If-None-Match names it, or any (RFC 9110 §13.1.2). */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/** Answers 304 when the caller has this version, else the envelope with its tag. */
export function sendTagged(reply: FastifyReply, tagged: Tagged): FastifyReply {
  void reply.headers({ ETag: tagged.etag, 'Cache-Control': 'private, no-cache' })
  if (isKnown(reply.request, tagged.etag)) return reply.code(304).send()
  void reply.type('application/json; charset=utf-8')
  if ('data' in tagged) return reply.send(success(tagged.data))
  // Long lists are stored as text, which goes into the envelope unchanged.
  const [before = '', after = ''] = JSON.stringify(success(null)).split('null')
  return reply.send(Buffer.concat([Buffer.from(before), tagged.json, Buffer.from(after)]))
}
