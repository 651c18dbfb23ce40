import type { FastifyRequest } from 'fastify'

/** Whether the caller has the version with this tag: its If-None-Match names it, or any (RFC 9110 §13.1.2: the weak comparison). */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => opaque(tag.trim()))
  return tags.includes(opaque(etag)) || tags.includes('*')
}

const opaque = (tag: string): string => tag.replace(/^W\//, '')
