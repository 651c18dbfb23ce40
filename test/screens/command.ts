import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { startProduct } from '../../api/compose.ts'
import { readConfig } from '../../api/config.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded-postgres.ts'
import { violations } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn, type Session } from '../support/product.ts'
import { clipped } from './clipped.ts'
import { showcase } from './showcase.ts'
import { PEOPLE, SCREENS, type Person, type Places, type Screen } from './screens.ts'

/**
 * `npm run screens`: pictures of every screen in both themes, in docs/screens.
 * `npm run screens -- --check [person]`: every screen as every person who has it, in both languages and themes, looked over by axe, for texts that are cut off and
 * for complaints of the console; fails when there is any.
 */
const FOLDER = fileURLToPath(new URL('../../docs/screens', import.meta.url))
const THEMES = ['light', 'dark'] as const
const LANGUAGES = ['en', 'ru'] as const
type Look = { readonly theme: (typeof THEMES)[number]; readonly language: (typeof LANGUAGES)[number]; readonly width: number }

type Visit = { readonly page: Page; readonly complaints: string[]; readonly close: () => Promise<void> }

async function open(browser: Browser, base: string, token: string | null, spaceId: string, look: Look): Promise<Visit> {
  const entry = (name: string, value: string) => ({ name, value })
  const session =
    token === null
      ? []
      : [
          entry('DSP_AUTH_TOKEN', token),
          entry('DSP_REFRESH_TOKEN', 'none'),
          entry('DSP_AUTH_TOKEN_EXPIRES_AT', String(Date.now() + 3_600_000)),
          entry('DSP_SPACE_ID', spaceId),
        ]
  const localStorage = [...session, entry('DSP_LANGUAGE', look.language), entry('DSP_THEME', look.theme)]
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: look.width, height: 850 },
    colorScheme: look.theme,
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [{ origin: base, localStorage }] },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints, close: () => context.close() }
}

async function show({ page }: Visit, screen: Screen, places: Places): Promise<void> {
  await page.goto(screen.address(places))
  await page.locator(screen.shows).first().waitFor()
  await screen.prepare?.(page)
  // Until nothing is asked for any more; the stream of changes never ends, so that the network never rests.
  await page.locator('progress').waitFor({ state: 'detached' })
  await page.waitForTimeout(250)
}

type Product = { readonly base: string; readonly as: (email: string) => Promise<Session> }

async function placesOf(product: Product): Promise<Places> {
  const owner = await product.as(PEOPLE.owner)
  type Row = { readonly id: string; readonly status_key: number; readonly space_name: string }
  const { data } = await owner.call<{ data: readonly Row[] }>('POST', '/v1/campaign/admin/list', { pageSize: 100 })
  const ada = await product.as(PEOPLE.advertiser)
  const mine = await ada.call<{ data: readonly Row[] }>('POST', '/v1/campaign/list/v2', { pageSize: 25 })
  const rich = await showcase(product.base, ada, owner)
  const running = mine.data.data.find(({ status_key }) => status_key === 3)
  const waiting = data.data.find(({ status_key }) => status_key === 1)
  if (running === undefined || waiting === undefined) throw new Error('the demo lacks a campaign')
  return { rich, running: running.id, waiting: waiting.id }
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''

type Tour = { readonly browser: Browser; readonly product: Product; readonly places: Places }

async function visit({ browser, product }: Tour, person: Person | null, look: Look): Promise<Visit> {
  const session = person === null ? null : await product.as(PEOPLE[person])
  const me = session === null ? null : await session.call<{ space_id: string }>('GET', '/v1/user/me')
  return open(browser, product.base, session?.token ?? null, me?.data.space_id ?? '', look)
}

async function picture(tour: Tour): Promise<number> {
  const missing: string[] = []
  mkdirSync(FOLDER, { recursive: true })
  for (const theme of THEMES) {
    for (const screen of SCREENS) {
      const one = await visit(tour, screen.people[0] ?? null, { theme, language: 'en', width: 1366 })
      try {
        await show(one, screen, tour.places)
        const shot = await one.page.screenshot()
        await sharp(shot)
          .webp({ quality: 84 })
          .toFile(join(FOLDER, `${screen.name}-${theme}.webp`))
      } catch (error) {
        missing.push(`${screen.name}, ${theme}: ${firstLine(error)}`)
      }
      await one.close()
    }
  }
  console.log([...missing, `${SCREENS.length * THEMES.length - missing.length} pictures in docs/screens`].join('\n'))
  return missing.length
}

async function check(tour: Tour, only: string | undefined): Promise<number> {
  let seen = 0
  let wrong = 0
  for (const theme of THEMES) {
    for (const language of LANGUAGES) {
      for (const screen of SCREENS) {
        for (const person of screen.people.length === 0 ? [null] : screen.people) {
          if (only !== undefined && person !== only) continue
          const one = await visit(tour, person, { theme, language, width: 1280 })
          const found: string[] = []
          try {
            await show(one, screen, tour.places)
            found.push(...(await violations(one.page)), ...(await clipped(one.page)), ...one.complaints)
          } catch (error) {
            found.push(firstLine(error))
          }
          await one.close()
          seen += 1
          wrong += found.length
          for (const line of found) console.log(`${screen.name}, ${person ?? 'signed out'}, ${theme}, ${language}: ${line}`)
        }
      }
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
const sessions = new Map<string, Promise<Session>>()
const product: Product = {
  base,
  as: (email) => {
    const session = sessions.get(email) ?? signIn(base, email)
    sessions.set(email, session)
    return session
  },
}
const browser = await launchBrowser()
try {
  const tour = { browser, product, places: await placesOf(product) }
  const [mode, only] = process.argv.slice(2)
  const faults = mode === '--check' ? await check(tour, only) : await picture(tour)
  process.exitCode = faults === 0 ? 0 : 1
} finally {
  await browser.close()
  await running.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
