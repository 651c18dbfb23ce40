import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { startProduct } from '../../api/compose.ts'
import { readConfig } from '../../api/config.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded-postgres.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/product.ts'
import { placesOf } from './places.ts'
import { SCREENS } from './screens.ts'
import { STATES } from './states.ts'
import { LANGUAGES, open, show, signedInOnce, THEMES, type Tour } from './visit.ts'
import { firstLine, VISITED_BY, walk } from './walk.ts'

/**
 * `npm run screens`: pictures of every screen in both themes, in docs/screens.
 * `npm run screens -- --check [person|signed-out]`: every screen, and every state of it, as every person who has it, in both languages and themes, looked over by
 * axe, for texts that are cut off or not translated and for complaints of the console; fails when there is any.
 */
const FOLDER = fileURLToPath(new URL('../../docs/screens', import.meta.url))

async function picture(tour: Tour): Promise<number> {
  const missing: string[] = []
  mkdirSync(FOLDER, { recursive: true })
  for (const theme of THEMES) {
    for (const screen of SCREENS) {
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
  console.log([...missing, `${SCREENS.length * THEMES.length - missing.length} pictures in docs/screens`].join('\n'))
  return missing.length
}

async function check(tour: Tour, only: string | undefined): Promise<number> {
  let seen = 0
  let wrong = 0
  for (const person of VISITED_BY) {
    if (only !== undefined && only !== (person ?? 'signed-out')) continue
    for (const language of LANGUAGES) {
      const walked = await walk(tour, person, language, [...SCREENS, ...STATES])
      seen += walked.seen
      wrong += walked.faults.length
      for (const fault of walked.faults) console.log(fault)
    }
  }
  console.log(`${seen} screens seen, ${wrong} faults`)
  return wrong
}

const folder = await mkdtemp(join(tmpdir(), 'placard-screens-'))
const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), settings: { fsync: 'off' } })
const running = await startProduct(
  readConfig({
    DATABASE_URL: server.url,
    PLACARD_DATA_DIR: join(folder, 'data'),
    PLACARD_DEMO: 'on',
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
  const [mode, only] = process.argv.slice(2)
  const faults = mode === '--check' ? await check(tour, only) : await picture(tour)
  process.exitCode = faults === 0 ? 0 : 1
} finally {
  await browser.close()
  await running.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
