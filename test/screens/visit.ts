import type { Browser, Page } from 'playwright-core'
import type { Session } from '../support/product.ts'
import { PEOPLE, type Person } from './people.ts'
import type { Screen, Surroundings } from './screen.ts'

export const THEMES = ['light', 'dark'] as const
export const LANGUAGES = ['en', 'ru'] as const
export type Look = {
  readonly theme: (typeof THEMES)[number]
  readonly language: (typeof LANGUAGES)[number]
  readonly width: number
}

export type Visit = {
  readonly page: Page
  /** What the console complained about since it was last asked, refused contents (CSP) among it. */
  readonly complaints: () => readonly string[]
  readonly close: () => Promise<void>
}

export type Tour = Surroundings & { readonly browser: Browser; readonly base: string }

/** Signs in each person once. */
export function signedInOnce(signIn: (email: string) => Promise<Session>): Tour['as'] {
  const sessions = new Map<Person, Promise<Session>>()
  return (person) => {
    const session = sessions.get(person) ?? signIn(PEOPLE[person])
    sessions.set(person, session)
    return session
  }
}

/** A window of somebody's own, signed in already; of the signed-out when it is null. The theme is the system's, so that it can change. */
export async function open({ browser, base, as }: Tour, person: Person | null, look: Look): Promise<Visit> {
  const stored: Record<string, string> = { DSP_LANGUAGE: look.language }
  if (person !== null) {
    const session = await as(person)
    const { data } = await session.call<{ space_id: string }>('GET', '/v1/user/me')
    stored['DSP_AUTH_TOKEN'] = session.token
    stored['DSP_REFRESH_TOKEN'] = 'none'
    stored['DSP_AUTH_TOKEN_EXPIRES_AT'] = String(Date.now() + 3_600_000)
    stored['DSP_SPACE_ID'] = data.space_id
  }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: look.width, height: 850 },
    colorScheme: look.theme,
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [{ origin: base, localStorage }] },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  let complaints: string[] = []
  page.on('console', (message) => {
    // A refused call is logged by the browser itself; what the screen makes of it is looked at.
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return {
    page,
    complaints: () => {
      const made = complaints
      complaints = []
      return made
    },
    close: () => context.close(),
  }
}

/** Opens a screen anew and brings it to where it is looked at. */
export async function show(page: Page, screen: Screen, surroundings: Surroundings): Promise<void> {
  await screen.arrange?.(page)
  await page.goto(screen.address(surroundings.places))
  await page
    .locator(screen.shows)
    .first()
    .waitFor({ state: screen.waits ? 'attached' : 'visible' })
  await screen.prepare?.(page, surroundings)
  await atRest(page, screen.waits)
}

/** Goes on to a screen that needs nothing else, as a link does: without loading the application again. */
export async function goOn(page: Page, screen: Screen, { places }: Surroundings): Promise<void> {
  const address = screen.address(places)
  await page.evaluate((to) => history.pushState({}, '', to), address)
  await page.locator(screen.shows).first().waitFor()
  await atRest(page)
  const { pathname } = new URL(page.url())
  if (!address.startsWith(pathname)) throw new Error(`${address} led to ${pathname}`)
}

/** Until nothing is asked for any more and nothing moves; the stream of changes never ends, so that the network never rests. */
export async function atRest(page: Page, waits = false): Promise<void> {
  const answered = () =>
    page.locator('[data-slot=progress-bar], [data-slot=skeleton], [data-slot=loading]').first().waitFor({ state: 'detached' })
  if (!waits) await answered()
  await quiet(page)
  // What came last may have asked for more.
  if (!waits) await answered()
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  )
}

/** Until nothing has changed for a while. */
const quiet = (page: Page): Promise<void> =>
  page.evaluate(
    (pause) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, pause)
        new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(resolve, pause)
        }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
      }),
    QUIET_MS,
  )
const QUIET_MS = 80
