import { createHash } from 'node:crypto'

const SCRIPT = /<script(?<attributes>(?![^>]*\bsrc=)[^>]*)>(?<code>[\s\S]*?)<\/script>/g

/**
 * Returns a page without inline scripts, which the policy of the product forbids, and the files that hold them by their paths below `base`.
 * Classic scripts from files run in the same order as inline ones, and before those of type module.
 */
export function withoutInlineScripts(html, base) {
  const files = new Map()
  const page = html.replaceAll(SCRIPT, (_tag, attributes, code) => {
    const hash = createHash('sha256').update(code).digest('base64url').replaceAll(/\W/g, '').slice(0, 10)
    const path = `assets/inline.${hash}.js`
    files.set(path, code)
    return `<script${attributes} src="${base}${path}"></script>`
  })
  return { page, files }
}
