// `npm run docs`: builds the documentation as a static site with search, in dist/docs, from where the product serves it. Guides, operation
// and explanations are the pages of docs/; the reference is written from the contract, the rights, the errors, the settings and the events.
// A link to a page that is not there fails the build. For another static host: `npm run docs -- --base / --to ../site`. VitePress has a
// folder of its own, since it is no part of the product.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './build-if-needed.mjs'
import { withoutInlineScripts } from './docs-scripts.mjs'

/** Where the product serves the site (api/http/documentation.ts). */
const OWN_BASE = '/help/docs/'
const { base, to } = parseArgs({
  options: { base: { type: 'string', default: OWN_BASE }, to: { type: 'string', default: 'dist/docs' } },
}).values
const output = resolve(root, to)
if (!/^\/(.*\/)?$/.test(base)) fail(`--base ${base}: must begin and end with a slash, such as / or /placard/`)
// The product would serve pages whose scripts are elsewhere.
if (base !== OWN_BASE && output === join(root, 'dist/docs')) fail('--base: needs --to, a folder other than dist/docs')

function fail(line) {
  console.error(line)
  process.exit(1)
}

const folder = join(root, '.docs-tools')
const site = join(folder, 'site')

function install() {
  cpSync(join(root, 'docs/site/tools'), folder, { recursive: true })
  const args = ['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

function copyPages() {
  rmSync(site, { recursive: true, force: true })
  const docs = join(root, 'docs')
  const elsewhere = ['site', 'help/ru'].map((path) => join(docs, path))
  cpSync(docs, site, { recursive: true, filter: (path) => !elsewhere.includes(path) })
  cpSync(join(docs, 'help/ru'), join(site, 'ru'), { recursive: true })
  cpSync(join(docs, 'site/index.md'), join(site, 'index.md'))
  cpSync(join(docs, 'site/index.ru.md'), join(site, 'ru/index.md'))
  for (const name of ['config.mjs', 'markdown.mjs', 'sections.mjs', 'theme'])
    cpSync(join(docs, 'site', name), join(site, '.vitepress', name), { recursive: true })
}

/** Moves scripts of the pages into files. */
function moveScripts() {
  const pages = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  for (const name of pages) {
    const { page, files } = withoutInlineScripts(readFileSync(join(output, name), 'utf8'), base)
    writeFileSync(join(output, name), page)
    for (const [path, text] of files) writeFileSync(join(output, path), text)
  }
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
  page(
    'licences',
    'Licences of this site',
    'The packages that the pages of this site contain. Those of the product are on its page for operators.',
    IN_PAGES.map(licenceOf).join('\n\n'),
  )
}

/** Packages of which the browser loads code. */
const IN_PAGES = [
  'vitepress',
  'vue',
  '@vue/reactivity',
  '@vue/runtime-core',
  '@vue/runtime-dom',
  '@vue/shared',
  '@vueuse/core',
  '@vueuse/integrations',
  '@vueuse/shared',
  'focus-trap',
  'mark.js',
  'minisearch',
  'tabbable',
]

function licenceOf(name) {
  const at = join(folder, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
  const file = readdirSync(at).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry))
  if (file === undefined) fail(`${name}: has no file with its licence`)
  return `## ${name} ${version}\n\n${license}\n\n\`\`\`text\n${readFileSync(join(at, file), 'utf8').trim()}\n\`\`\``
}

install()
copyPages()
await writeReference()
const vitepress = join(folder, 'node_modules/vitepress/bin/vitepress.js')
execFileSync(process.execPath, [vitepress, 'build', site, '--outDir', output], {
  cwd: folder,
  stdio: 'inherit',
  env: { ...process.env, DOCS_BASE: base },
})
moveScripts()
execFileSync(process.execPath, [join(root, 'scripts/compress.mjs'), output], { stdio: 'inherit' })
