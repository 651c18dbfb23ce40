import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Area } from '../areas/area.ts'
import { encodable, sendEncoded } from './encoded.ts'
import { openApi } from './openapi.ts'

const NAME = 'Placard API'
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3450c8"/>' +
  '<path d="M10 24V8h7.2a5.3 5.3 0 0 1 0 10.6H14" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>'
// Every call documents the same refusals: one line each is enough.
const CSS = `
.swagger-ui .topbar { padding: 8px 0 }
.swagger-ui .topbar-wrapper { justify-content: space-between }
.swagger-ui .topbar .download-url-wrapper, .swagger-ui .scheme-container .schemes > :first-child:not(.auth-wrapper) { display: none }
.swagger-ui .response-col_links { display: none }
.swagger-ui .info { margin: 24px 0 }
.swagger-ui .scheme-container { padding: 12px 0 }
.swagger-ui .scheme-container .schemes { justify-content: flex-end }
.swagger-ui .responses-table:not(.live-responses-table) .response:not([data-code^="2"]) .response-col_description > :not(.response-col_description__inner) { display: none }
.swagger-ui .responses-table:not(.live-responses-table) .response:not([data-code^="2"]) td { padding: 4px 0 }
.swagger-ui .responses-table .response:not([data-code^="2"]) .response-col_description__inner p { margin: 0 }
.swagger-ui .opblock .opblock-summary-description { white-space: normal; word-break: normal }
@media (max-width: 640px) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 18px }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 3; padding: 4px 0 0 }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100% }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { flex-basis: 60% }
}
`

/** The viewer, in the browser. */
declare const ui: { readonly preauthorizeApiKey: (scheme: string, token: string) => void }

// The viewer gets the source text of these functions, so they use nothing outside themselves.

function finishPage(): void {
  document.head.append(
    Object.assign(document.createElement('meta'), { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
  )
  document.querySelector('.topbar img')?.setAttribute('alt', 'Placard')
}

/** Sends the token of a sign-in that was tried out with every call that follows. */
function signInBy<T extends { readonly ok?: boolean; readonly url?: string; readonly text?: string }>(response: T): T {
  const { ok, url = '', text = '' } = response
  if (ok === true && /\/v1\/(oauth\/(token|refresh)|user\/account\/switch\/[^/]+)$/.test(url))
    ui.preauthorizeApiKey('bearer', JSON.parse(text).data.access_token)
  return response
}

/** GET /openapi.json, and its viewer at /docs, which loads nothing external and runs no inline script. */
export async function registerDocs(app: FastifyInstance, areas: readonly Area[], version: string): Promise<void> {
  // Describing every call takes half a second of a core: the first reader waits for it instead of every start.
  const document = once(() => openApi(areas, version))
  const text = once(() => encodable(Buffer.from(JSON.stringify(document()))))
  app.get('/openapi.json', (_request, reply) => sendEncoded(reply, text(), 'application/json; charset=utf-8'))
  await app.register(given(document))
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: {
      title: NAME,
      css: [{ filename: 'placard.css', content: CSS }],
      favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: ICON }],
    },
    logo: { type: 'image/svg+xml', content: ICON, href: '/docs' },
    uiConfig: {
      urls: [{ url: '/openapi.json', name: NAME }],
      docExpansion: 'none',
      filter: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      onComplete: finishPage,
      responseInterceptor: signInBy,
    },
  })
}

/** The value that `make` returns, made when it is needed first. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Stands in for `@fastify/swagger`, which the viewer asks for its document: ours is not derived from fastify's schemas. */
const given = (document: () => object) =>
  Object.assign(
    async (app: FastifyInstance) => {
      // JSON is YAML too.
      app.decorate('swagger', (options?: { readonly yaml?: boolean }) =>
        options?.yaml === true ? JSON.stringify(document()) : document(),
      )
    },
    {
      [Symbol.for('skip-override')]: true,
      [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' },
    },
  )
