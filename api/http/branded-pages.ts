import { languageOfLocale } from '#domain/kit/languages'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { DEFAULT_PRIMARY, ON_PRIMARY, shownColor } from '#domain/white-label/palette'
import { PRODUCT_NAME, type WhiteLabel } from '#domain/white-label/white-label'
import type { WhitelabelInfo } from '#contract/white-label-info'
import { encodable, sendEncoded, type Encodable } from './encoded.ts'

/** A white-label and what its pages tell the application about it. */
export type PageBrand = { readonly label: WhiteLabel; readonly info: WhitelabelInfo }

/** Most pages kept in memory: there are a dozen for each white-label. */
const REMEMBERED = 500

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** The tokens of a white-label's colours, over those of the stylesheet; empty without own colours. */
export function brandCss(label: WhiteLabel): string {
  const tokens = [
    ['--brand', label.primary_color],
    ['--brand-secondary', label.secondary_color],
    ['--brand-warning', label.warning_color],
    ['--brand-gauge', label.gauge_color],
  ] as const
  const set = tokens.flatMap(([token, color]) => (color === null ? [] : [`${token}:${color}`]))
  return set.length === 0 ? '' : `html:root{${set.join(';')}}`
}

/** An icon of the first letter on the primary colour, for a white-label without a logo. */
export function brandIcon(label: WhiteLabel): string {
  const letter = [...label.name][0]?.toUpperCase() ?? ''
  const color = shownColor('primary', 'light', label.primary_color ?? DEFAULT_PRIMARY)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${color}"/>` +
    `<text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="18" font-weight="600" text-anchor="middle" fill="${ON_PRIMARY}">` +
    `${escaped(letter)}</text></svg>`
  )
}

function iconOf(label: WhiteLabel, info: WhitelabelInfo): string {
  const logo = info.whitelabel_settings.company_logo
  if (logo !== null) return `<link rel="icon" href="${escaped(logo)}" />`
  if (label.name === PRODUCT_NAME && label.primary_color === null)
    return '<link rel="icon" type="image/svg+xml" href="/favicon.svg" />'
  return `<link rel="icon" type="image/svg+xml" href="/brand-icon.svg?v=${hashOf(brandIcon(label))}" />`
}

/** Text that search engines show below the title. */
const DESCRIPTIONS = {
  en: (name: string) => `${name}: create advertising campaigns, set their budgets and see their results.`,
  ru: (name: string) => `${name}: создавайте рекламные кампании, задавайте бюджеты и следите за результатами.`,
} as const

/** The page with the brand in its head, so that the first paint shows it. */
export function brandedPage(page: string, { label, info }: PageBrand): string {
  const css = brandCss(label)
  const language = languageOfLocale(label.default_locale)
  const head = [
    // After the application's own stylesheet, whose tokens it replaces.
    ...(css === '' ? [] : [`<link rel="stylesheet" href="/brand.css?v=${hashOf(css)}" />`]),
    `<meta name="description" content="${escaped(DESCRIPTIONS[language](label.name))}" />`,
    `<meta name="application-name" content="${escaped(label.name)}" />`,
    `<meta name="placard-white-label" content="${escaped(JSON.stringify(info))}" />`,
  ]
  return page
    .replace('<html lang="en">', () => `<html lang="${language}" data-language="${language}">`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(label.name)}</title>`)
    .replace(/<link rel="icon"[^>]*>/, () => iconOf(label, info))
    .replace('</head>', () => `${head.map((tag) => `  ${tag}\n  `).join('')}</head>`)
}

/** Serves pages of the application with the brand of their host, and the brand's stylesheet and icon. */
export function createBrandedPages(app: FastifyInstance, folder: string, brandOf: (hostname: string) => PageBrand) {
  const pages = new Map<string, Encodable>()
  const sources = new Map<string, string>()

  function sourceOf(file: string): string {
    const known = sources.get(file)
    if (known !== undefined) return known
    const source = readFileSync(join(folder, file), 'utf8')
    sources.set(file, source)
    return source
  }

  function pageOf(file: string, brand: PageBrand): Encodable {
    const key = `${file} ${JSON.stringify(brand.info)}`
    const known = pages.get(key)
    if (known !== undefined) return known
    const page = encodable(Buffer.from(brandedPage(sourceOf(file), brand)))
    if (pages.size >= REMEMBERED) pages.clear()
    pages.set(key, page)
    return page
  }

  /** The brand's files are cached for ever under the hash of their content, and never without it. */
  const branded = (path: string, type: string, make: (label: WhiteLabel) => string) =>
    app.get<{ Querystring: { readonly v?: string } }>(path, async ({ hostname, query }, reply) => {
      const content = make(brandOf(hostname).label)
      const cached = query.v === hashOf(content) ? 'public, max-age=31536000, immutable' : 'no-cache'
      return reply.type(type).header('Cache-Control', cached).send(content)
    })
  branded('/brand.css', 'text/css; charset=utf-8', brandCss)
  branded('/brand-icon.svg', 'image/svg+xml', brandIcon)

  return function sendPage(file: string, reply: FastifyReply): FastifyReply {
    return sendEncoded(reply, pageOf(file, brandOf(reply.request.hostname)), 'text/html; charset=utf-8')
  }
}
