// How the site reads the pages of docs/: links, anchors and pictures.
import { posix } from 'node:path'

/** The anchor of a heading, as GitHub makes it: pages link to headings by it. */
export const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

/** In guides a link that begins with a slash is an address of the application; its help is here. */
const HELP = /^\/help\/(?=[a-z-]+(?:#|$))/
const GUIDE_FOLDERS = /^(?:help\/en|ru)\//

/**
 * Returns what a link of a page is on the site: an address, or null where it leads to what the site does not have, such as a source or a
 * page of the application.
 */
export function addressOn(page, href) {
  const [folder] = GUIDE_FOLDERS.exec(page) ?? []
  if (href.startsWith('/')) {
    if (folder === undefined) return href
    return HELP.test(href) ? href.replace(HELP, `/${folder}`) : null
  }
  if (/^[a-z]+:|^#/.test(href)) return href
  const [target] = href.split('#')
  const isPage = target.endsWith('.md') && !posix.join(posix.dirname(page), target).startsWith('..')
  return isPage ? href : null
}

/** The picture in the dark theme; null for one that is the same in both. */
export const darkPicture = (source) => (source.endsWith('-light.webp') ? source.replace(/-light\.webp$/, '-dark.webp') : null)

/** Shows links to what the site does not have as their text. */
function ownLinks(md) {
  md.core.ruler.push('own-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let leaving = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const address = addressOn(env.relativePath ?? '', token.attrGet('href') ?? '')
          leaving = address === null
          if (address !== null) token.attrSet('href', address)
        }
        if (!leaving || !/^link_(open|close)$/.test(token.type)) continue
        if (token.type === 'link_close') leaving = false
        Object.assign(token, { type: 'text', content: '', nesting: 0 })
      }
    }
  })
}

/** Returns a heading without its own id, and the id: `## Password {#password}`. Null without one. */
export function ownId(heading) {
  const { text, id } = /^(?<text>.*?)\s*\{#(?<id>[\w-]+)\}$/.exec(heading)?.groups ?? {}
  return id === undefined ? null : { text, id }
}

/** Gives headings their own ids, before those without one get theirs from the text. */
function ownIds(md) {
  md.core.ruler.after('inline', 'own-ids', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue
      const inline = tokens[index + 1]
      const last = inline.children.at(-1)
      const own = ownId(inline.content)
      if (own === null || last?.type !== 'text') continue
      token.attrSet('id', own.id)
      inline.content = own.text
      last.content = ownId(last.content)?.text ?? ''
    }
  })
}

/** Renders both variants of a screen; the stylesheet shows that of the theme. */
function themedPictures(md) {
  const render = md.renderer.rules.image
  md.renderer.rules.image = (tokens, index, ...rest) => {
    const token = tokens[index]
    const dark = darkPicture(token.attrGet('src') ?? '')
    if (dark === null) return render(tokens, index, ...rest)
    const variant = (source, name) => {
      const copy = Object.assign(Object.create(Object.getPrototypeOf(token)), token, { attrs: token.attrs.map((one) => [...one]) })
      copy.attrSet('src', source)
      copy.attrJoin('class', name)
      return render(Object.assign([...tokens], { [index]: copy }), index, ...rest)
    }
    return variant(token.attrGet('src'), 'in-light') + variant(dark, 'in-dark')
  }
}

export function placardMarkdown(md) {
  ownIds(md)
  ownLinks(md)
  themedPictures(md)
}
