// The documentation site (scripts/docs-site.mjs). Pages are those of this repository; links to sources are shown as their names.
import { defineConfig } from 'vitepress'

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3055c5"/><path d="M12 24V9h5a5 5 0 0 1 0 10h-5" fill="none" stroke="#fff" stroke-width="3"/></svg>'
const GUIDES = ['getting-started', 'creatives', 'audiences', 'reports', 'statuses', 'billing', 'account', 'moderation']

/** Links that lead out of the pages: to sources, whose address the site does not know. */
const LEAVES = /^(?:\.\.\/)+(?!(?:spec|help|reference)\/)|\.(?:ts|tsx|mjs|json|yml)(?:#|$)/
/** In guides a link that begins with a slash is an address of the application; its help is here. */
const HELP = /^\/help\/(?=[a-z-]+(?:#|$))/

/** Shows links to what the site does not have as text, and those to the help as links to its guides. */
function ownLinks(md) {
  md.core.ruler.push('own-links', ({ tokens, env }) => {
    const isGuide = (env.relativePath ?? '').startsWith('help/')
    for (const { children } of tokens) {
      let leaving = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const address = token.attrGet('href') ?? ''
          if (isGuide) token.attrSet('href', address.replace(HELP, '/help/en/'))
          leaving = isGuide && address.startsWith('/') ? !HELP.test(address) : LEAVES.test(address)
        }
        if (!leaving || !/^link_(open|close)$/.test(token.type)) continue
        if (token.type === 'link_close') leaving = false
        token.type = 'text'
        token.content = ''
        token.nesting = 0
      }
    }
  })
}

export default defineConfig({
  title: 'Placard',
  description: 'Self-serve, white-label advertising platform whose campaigns are event-sourced',
  lang: 'en',
  cleanUrls: true,
  // Placeholders such as {id} and <folder> are text.
  markdown: { html: false, config: ownLinks, attrs: { leftDelimiter: '{#', rightDelimiter: '}' } },
  head: [
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml,${encodeURIComponent(MARK)}` }],
  ],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/help/en/getting-started' },
      { text: 'Operate', link: '/operating' },
      { text: 'Explanations', link: '/read-models' },
      { text: 'Reference', link: '/reference/api' },
    ],
    sidebar: [
      { text: 'Guides', items: GUIDES.map((name) => ({ text: titleOf(name), link: `/help/en/${name}` })) },
      {
        text: 'Operate',
        items: [
          { text: 'Operating', link: '/operating' },
          { text: 'Upgrading', link: '/upgrading' },
          { text: 'Single sign-on and directories', link: '/single-sign-on' },
          { text: 'Payments', link: '/payments' },
          { text: 'Notifications', link: '/notifications' },
          { text: 'Performance', link: '/performance' },
          { text: 'Growth', link: '/growth' },
        ],
      },
      {
        text: 'Explanations',
        items: [
          { text: 'The event store', link: '/event-store' },
          { text: 'Read models', link: '/read-models' },
          { text: 'Proof', link: '/proof' },
          { text: 'Security', link: '/security' },
          { text: 'Personal data', link: '/privacy' },
          { text: 'Money', link: '/money' },
          { text: 'Invoices', link: '/invoices' },
          { text: 'Delivery', link: '/delivery' },
          { text: 'Estimates', link: '/estimates' },
          { text: 'Audiences', link: '/audiences' },
          { text: 'Tracked events', link: '/events' },
          { text: 'The application', link: '/web' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Calls of the API', link: '/reference/api' },
          { text: 'Rights and roles', link: '/reference/rights' },
          { text: 'Errors', link: '/reference/errors' },
          { text: 'Settings', link: '/reference/settings' },
          { text: 'Types of events', link: '/reference/events' },
          { text: 'Fine print', link: '/spec/fine-print' },
          { text: 'Decisions', link: '/spec/decisions' },
        ],
      },
    ],
  },
})

function titleOf(name) {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
