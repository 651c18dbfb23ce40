import type { FastifyReply } from 'fastify'
import { success } from './envelope.ts'

/** What seldom changes: its tag tells one version from another. */
export type Tagged = { readonly etag: string; readonly data: unknown } | { readonly etag: string; readonly json: Buffer }

/** Answers 304 to who has this version, and the envelope with its tag to everybody else. */
export function sendTagged(reply: FastifyReply, tagged: Tagged): FastifyReply {
  void reply.headers({ ETag: tagged.etag, 'Cache-Control': 'private, no-cache' })
  const known = reply.request.headers['if-none-match']
  if (known !== undefined && known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === tagged.etag))
    return reply.code(304).send()
  void reply.type('application/json; charset=utf-8')
  if ('data' in tagged) return reply.send(success(tagged.data))
  // Long lists are kept as text: they are put into the envelope as they are.
  const [before = '', after = ''] = JSON.stringify(success(null)).split('null')
  return reply.send(Buffer.concat([Buffer.from(before), tagged.json, Buffer.from(after)]))
}
