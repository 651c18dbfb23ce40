import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createBrandedPages, type PageBrand } from './branded-pages.ts'
import { notFound } from './envelope.ts'

/**
 * Serves the built SPA: hashed assets cached forever, the page itself never, and any page path returns the page, with the brand of
 * the host.
 */
export async function registerSpa(
  app: FastifyInstance,
  folder: string,
  endpointPaths: readonly { method: string; path: string }[],
  brandOf: (hostname: string) => PageBrand,
): Promise<void> {
  const built = existsSync(join(folder, 'index.html'))
  if (built)
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      // A route per file instead of a wildcard: unknown paths are refused by this application, not by the file server.
      wildcard: false,
      preCompressed: true,
      globIgnore: ['**/*.br', '**/*.gz', '**/*.html'],
      setHeaders: (reply, path) => {
        const hashed = /[\\/]assets[\\/]/.test(path)
        void reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  const sendPage = createBrandedPages(app, folder, brandOf)
  if (built) for (const path of ['/', '/index.html']) app.get(path, (_request, reply) => sendPage('index.html', reply))
  const pageOf = built ? pages(folder) : () => 'index.html'
  const matchers = endpointPaths.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }))
  const allowed = (request: FastifyRequest) => {
    const path = request.url.split('?', 1)[0] ?? ''
    return [...new Set(matchers.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
  }
  app.setNotFoundHandler((request, reply) => {
    // The query may end like a file name, as `?q=nile.example` does.
    const [path = ''] = request.url.split('?', 1)
    const page = built && request.method === 'GET' && !path.startsWith('/v1/') && !/\.\w+$/.test(path)
    if (page) return sendPage(pageOf(path), reply)
    return notFound(reply, allowed(request))
  })
}

/** The page for an address: that of its route, `pages/campaign.edit.$id.html`, which names the scripts it needs. */
function pages(folder: string): (path: string) => string {
  const own = join(folder, 'pages')
  const routes = (existsSync(own) ? readdirSync(own) : [])
    .filter((name) => name.endsWith('.html'))
    .map((name) => ({
      file: `pages/${name}`,
      pattern: new RegExp(`^/${name.slice(0, -'.html'.length).replaceAll('.', '/').replaceAll(/\$\w+/g, '[^/]+')}/?$`),
    }))
  return (path) => routes.find(({ pattern }) => pattern.test(path))?.file ?? 'index.html'
}
