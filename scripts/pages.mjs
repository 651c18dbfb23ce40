// Writes a page for every route: the application's page plus the names of the route's scripts, so that browsers fetch all at
// once.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './build-if-needed.mjs'

const folder = join(root, 'dist/web')
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
const index = readFileSync(join(folder, 'index.html'), 'utf8')

/** Files of these chunks and of all that they import before they can run. */
function closure(keys) {
  const seen = new Set()
  const walk = (key) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const imported of manifest[key].imports ?? []) walk(imported)
  }
  for (const key of keys) walk(key)
  return [...seen].map((key) => manifest[key].file)
}

// A script loads the application, so the index does not name it.
const application = Object.keys(manifest).filter((key) => manifest[key].name === 'application')
const named = closure(application)
  .filter((file) => !index.includes(file))
  .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
const page = index.replace('  </head>', `${named.join('')}  </head>`)
writeFileSync(join(folder, 'index.html'), page)

const chunksOf = (route) => Object.keys(manifest).filter((key) => key.startsWith(`routes/${route}.tsx?`))

mkdirSync(join(folder, 'pages'), { recursive: true })
for (const key of Object.keys(manifest)) {
  // `_app.campaign.edit.$id` is /campaign/edit/$id within the frame `_app`.
  const [, frame, route] = /^routes\/(_\w+)\.(.+)\.tsx\?/.exec(key) ?? []
  if (route === undefined) continue
  const files = closure([...chunksOf(frame), key]).filter((file) => !page.includes(file))
  // Listed after the scripts of every page and of the signed-in frame.
  const links = files.map((file) => `    <link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">\n`)
  writeFileSync(join(folder, 'pages', `${route}.html`), page.replace('  </head>', `${links.join('')}  </head>`))
}
