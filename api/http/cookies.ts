import type { FastifyRequest } from 'fastify'

/** The value of a cookie of a request; null without one. */
export function cookieIn({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | null {
  const prefix = `${name}=`
  const found = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
  return found?.slice(prefix.length) ?? null
}
