import type { FastifyReply } from 'fastify'
import { success } from './envelope.ts'
import { isKnown } from './etag.ts'

/** Rarely changing data; its tag identifies the version. */
export type Tagged = { readonly etag: string; readonly data: unknown } | { readonly etag: string; readonly json: Buffer }

/** Answers 304 when the caller has this version, else the envelope with its tag. */
export function sendTagged(reply: FastifyReply, tagged: Tagged): FastifyReply {
  // Weak: the bytes differ by encoding. The compression looks for its header in lower case.
  void reply.headers({ ETag: `W/${tagged.etag}`, 'Cache-Control': 'private, no-cache', Vary: 'accept-encoding' })
  if (isKnown(reply.request, tagged.etag)) return reply.code(304).send()
  void reply.type('application/json; charset=utf-8')
  if ('data' in tagged) return reply.send(success(tagged.data))
  // Long lists are stored as text, which goes into the envelope unchanged.
  const [before = '', after = ''] = JSON.stringify(success(null)).split('null')
  return reply.send(Buffer.concat([Buffer.from(before), tagged.json, Buffer.from(after)]))
}
