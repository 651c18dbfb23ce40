// `npm run docs`: builds the documentation as a static site with search, in dist/docs. Guides, operation and explanations are the pages of
// docs/; the reference is written from the contract, the rights, the errors, the settings and the events. A link to a page that is not
// there fails the build. VitePress has a folder of its own, since it is no part of the product.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './build-if-needed.mjs'

const TOOLS = { vitepress: '1.6.4' }
const folder = join(root, '.docs-tools')
const site = join(folder, 'site')

function install() {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ private: true, dependencies: TOOLS }, null, 2)}\n`)
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

function copyPages() {
  rmSync(site, { recursive: true, force: true })
  const isPage = (path) => !/docs\/(site|screens)(\/|$)/.test(path) && !/docs\/help\/ru/.test(path)
  cpSync(join(root, 'docs'), site, { recursive: true, filter: isPage })
  cpSync(join(root, 'docs/site/config.mjs'), join(site, '.vitepress/config.mjs'))
  cpSync(join(root, 'docs/site/theme'), join(site, '.vitepress/theme'), { recursive: true })
  cpSync(join(root, 'docs/site/index.md'), join(site, 'index.md'))
}

const code = (text) => `\`${String(text).replaceAll('|', '\\|')}\``
const plain = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (heads, rows) => [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const page = (name, title, lead, body) =>
  writeFileSync(join(site, 'reference', `${name}.md`), `---\naside: false\n---\n\n# ${title}\n\n${lead}\n\n${body}\n`)

async function writeReference() {
  const { AREAS } = await import('#api/areas/index')
  const { ACCESS, ROLES } = await import('#domain/kit/access')
  const { CATALOGUE } = await import('#domain/kit/errors')
  const { EVERY_EVENT } = await import('#domain/every-event')
  mkdirSync(join(site, 'reference'))

  const calls = AREAS.filter(({ endpoints }) => endpoints.length > 0).map(({ name, summary, endpoints }) => {
    const rows = endpoints.map(({ method, path, access, summary: what }) => [
      code(`${method} ${path}`),
      code(access),
      plain(what),
    ])
    return `## ${name}\n\n${plain(summary)}.\n\n${table(['call', 'right', 'what it does'], rows)}`
  })
  page(
    'api',
    'Calls of the API',
    'Every call, by area, with the right that it needs ([rights and roles](rights.md)). Bodies and answers are at `/docs` of a running installation, as OpenAPI.',
    calls.join('\n\n'),
  )
  page(
    'rights',
    'Rights and roles',
    'What each role may do where it reaches ([access](../spec/access.md)).',
    table(
      ['right', ...ROLES.map(code)],
      Object.entries(ACCESS).map(([right, roles]) => [code(right), ...ROLES.map((role) => (roles.includes(role) ? 'yes' : ''))]),
    ),
  )
  page(
    'errors',
    'Errors',
    'The code in `type.code` of an answer, its key and sentence, and the HTTP status that comes with it.',
    table(
      ['code', 'key', 'sentence', 'status'],
      Object.entries(CATALOGUE).map(([number, { key, message, http }]) => [number, code(key), plain(message), http]),
    ),
  )
  const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const settings = operating.split('## Settings\n')[1]?.split('\n## ')[0] ?? ''
  page(
    'settings',
    'Settings',
    'Variables of the environment, as [operating](../operating.md) has them.',
    settings.replaceAll('](', '](../').replaceAll('](../#', '](../operating.md#'),
  )
  page(
    'events',
    'Types of events',
    'What the log holds. Stored events never change; a new version of a type is read through upcasters.',
    table(
      ['event', 'version'],
      Object.entries(EVERY_EVENT)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([type, { version }]) => [code(type), version]),
    ),
  )
}

install()
copyPages()
await writeReference()
execFileSync(
  process.execPath,
  [join(folder, 'node_modules/vitepress/bin/vitepress.js'), 'build', site, '--outDir', join(root, 'dist/docs')],
  {
    cwd: folder,
    stdio: 'inherit',
  },
)
