import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { encodable, sendEncoded } from './encoded.ts'

/** Where the site is served: the base path that `npm run docs` builds it for. */
export const DOCUMENTATION_PATH = '/help/docs/'

/**
 * Serves the built documentation site: hashed assets cached forever, pages by their names without `.html`, and the site's own page for an
 * address that it does not have. Only files that were there at the start are served.
 */
export async function registerDocumentation(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: DOCUMENTATION_PATH,
    index: false,
    decorateReply: false,
    // As for the application (spa.ts): a route per file, so that no path is resolved in the file system.
    wildcard: false,
    preCompressed: true,
    globIgnore: ['**/*.br', '**/*.gz', '**/*.html', '**/*.json'],
    setHeaders: (reply, path) => {
      const hashed = /[\\/]assets[\\/]/.test(path)
      void reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name.split(sep).join('/'), encodable(readFileSync(join(folder, name)))]),
  )
  /** The page of an address: `operating` and `operating.html` are one, and so are `spec/` and `spec/index`. */
  const pageOf = (path: string) =>
    pages.get(path) ?? pages.get(`${path === '' || path.endsWith('/') ? `${path}index` : path}.html`)
  const missing = pages.get('404.html')?.body ?? Buffer.from('Not found')

  const sendPage = (path: string, reply: FastifyReply): FastifyReply => {
    const page = path === '404' || path === '404.html' ? undefined : pageOf(path)
    if (page !== undefined) return sendEncoded(reply, page, 'text/html; charset=utf-8')
    return reply.code(404).header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(missing)
  }
  app.get(DOCUMENTATION_PATH.slice(0, -1), (_request, reply) => reply.redirect(DOCUMENTATION_PATH, 308))
  app.get<{ Params: { readonly '*': string } }>(`${DOCUMENTATION_PATH}*`, ({ params }, reply) => sendPage(params['*'], reply))
}
