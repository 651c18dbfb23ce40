import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { startProduct } from '#api/compose'
import { readConfig } from '#api/config'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { launchBrowser } from '../support/browser.ts'
import { eventually, signIn } from '../support/product.ts'
import { placesOf } from './places.ts'
import { SCREENS } from './screens.ts'
import { STATES } from './states.ts'
import { LANGUAGES, open, show, signedInOnce, THEMES, type Tour } from './visit.ts'
import { firstLine, VISITED_BY, walk, WINDOWS } from './walk.ts'

/**
 * `npm run screens [-- screen …]`: takes pictures of every screen, or of the named ones, in both themes, in docs/screens.
 * `npm run screens -- --check [person|signed-out|all [screen …]]`: checks every screen and every state of it, as every user who has it, in
 * both languages and themes and in three windows, with axe, for truncated or untranslated texts and for console messages; fails when it finds any.
 */
const FOLDER = fileURLToPath(new URL('../../docs/screens', import.meta.url))

async function picture(tour: Tour, names: readonly string[]): Promise<number> {
  const screens = SCREENS.filter(({ name }) => names.length === 0 || names.includes(name))
  const missing: string[] = []
  mkdirSync(FOLDER, { recursive: true })
  for (const theme of THEMES) {
    for (const screen of screens) {
      const { page, close } = await open(tour, screen.people[0] ?? null, { theme, language: 'en', width: 1366 })
      try {
        await show(page, screen, tour)
        const shot = await page.screenshot()
        await sharp(shot)
          .webp({ quality: 84 })
          .toFile(join(FOLDER, `${screen.name}-${theme}.webp`))
      } catch (error) {
        missing.push(`${screen.name}, ${theme}: ${firstLine(error)}`)
      }
      await close()
    }
  }
  console.log([...missing, `${screens.length * THEMES.length - missing.length} pictures in docs/screens`].join('\n'))
  return missing.length
}

/** Resolves once the demo's 90 days are delivered: today comes last. */
async function delivered(): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const ada = await as('advertiser')
  type Total = { readonly totals: { readonly impressions: number } }
  await eventually(
    () => ada.call<Total>('POST', '/v1/reports/total', { from_date: today, to_date: today }),
    ({ data }) => data.totals.impressions > 0,
    180_000,
  )
}

async function check(tour: Tour, only = 'all', names: readonly string[] = []): Promise<number> {
  const screens = [...SCREENS, ...STATES].filter(({ name }) => names.length === 0 || names.includes(name))
  let seen = 0
  let wrong = 0
  for (const person of VISITED_BY) {
    if (only !== 'all' && only !== (person ?? 'signed-out')) continue
    for (const language of LANGUAGES) {
      const walked = await walk(tour, person, language, screens, { windows: WINDOWS })
      seen += walked.seen
      wrong += walked.faults.length
      for (const fault of walked.faults) console.log(fault)
    }
  }
  console.log(`${seen} screens seen, ${wrong} faults`)
  return wrong
}

/** A name that does not exist would look like a clean check. */
function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  console.error(`There is no ${unknown.join(', ')}. There are: ${known.join(', ')}`)
  process.exit(1)
}

const args = process.argv.slice(2)
const checks = args[0] === '--check'
const [, only, ...names] = args
if (checks && only !== undefined) refuseUnknown([only], ['all', ...VISITED_BY.map((person) => person ?? 'signed-out')])
refuseUnknown(
  checks ? names : args,
  (checks ? [...SCREENS, ...STATES] : SCREENS).map(({ name }) => name),
)
const folder = await mkdtemp(join(tmpdir(), 'placard-screens-'))
const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), settings: { fsync: 'off' } })
const running = await startProduct(
  readConfig({
    DATABASE_URL: server.url,
    PLACARD_DATA_DIR: join(folder, 'data'),
    PLACARD_DEMO: 'on',
    // Pictures show figures; checks compare screens that stand still.
    PLACARD_DEMO_DELIVERY: checks ? 'off' : 'on',
    PLACARD_UNSAFE_DATABASE: 'on',
    PORT: '0',
    LOG_LEVEL: 'error',
  }),
)
const base = running.address ?? ''
const as = signedInOnce((email) => signIn(base, email))
const browser = await launchBrowser()
try {
  const tour = { browser, base, as, places: await placesOf(base, as) }
  if (!checks) await delivered()
  const faults = checks ? await check(tour, only, names) : await picture(tour, args)
  process.exitCode = faults === 0 ? 0 : 1
} finally {
  await browser.close()
  await running.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
