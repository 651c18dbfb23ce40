import type { Browser, Page } from 'playwright-core'
import type { Session } from '../support/product.ts'
import { PEOPLE, type Person } from './people.ts'
import type { Screen, Surroundings } from './screen.ts'

export const THEMES = ['light', 'dark'] as const
export const LANGUAGES = ['en', 'ru'] as const
export type Appearance = {
  readonly theme: (typeof THEMES)[number]
  readonly language: (typeof LANGUAGES)[number]
  readonly width: number
}

export type Visit = {
  readonly page: Page
  /** Console messages since the last call, including content refused by the CSP. */
  readonly complaints: () => readonly string[]
  readonly close: () => Promise<void>
}

/** The browser logs a refused call, whose effect on the screen is checked, and that axe cannot reach into a frame without an origin. */
const NO_COMPLAINTS = ['Failed to load resource', "Failed to execute 'postMessage' on 'DOMWindow'"]

export type Tour = Surroundings & { readonly browser: Browser; readonly base: string }

/** Signs in each user once. */
export function signedInOnce(signIn: (email: string) => Promise<Session>): Tour['as'] {
  const sessions = new Map<Person, Promise<Session>>()
  return (person) => {
    const session = sessions.get(person) ?? signIn(PEOPLE[person])
    sessions.set(person, session)
    return session
  }
}

/**
 * A browser context of one user, signed in already; signed out when it is null. The theme is that of the system, so that it can
 * change.
 */
export async function open(
  { browser, base, as }: Omit<Tour, 'places'>,
  person: Person | null,
  appearance: Appearance,
): Promise<Visit> {
  const stored: Record<string, string> = { DSP_LANGUAGE: appearance.language }
  if (person !== null) {
    const session = await as(person)
    const { data } = await session.call<{ space_id: string }>('GET', '/v1/user/me')
    stored['DSP_AUTH_TOKEN'] = session.token
    stored['DSP_AUTH_TOKEN_EXPIRES_AT'] = String(Date.now() + 3_600_000)
    stored['DSP_SPACE_ID'] = data.space_id
  }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: appearance.width, height: 850 },
    colorScheme: appearance.theme,
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [{ origin: base, localStorage }] },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  let complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !NO_COMPLAINTS.some((text) => message.text().startsWith(text)))
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

/** Opens a screen in a new page and prepares it. */
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

/** Navigates to a screen without preparation by a link, without reloading the application. */
export async function goOn(page: Page, screen: Screen, { places }: Surroundings): Promise<void> {
  const address = screen.address(places)
  await page.evaluate((to) => history.pushState({}, '', to), address)
  await page.locator(screen.shows).first().waitFor()
  await atRest(page)
  const { pathname } = new URL(page.url())
  if (!address.startsWith(pathname)) throw new Error(`${address} led to ${pathname}`)
}

/** Waits until no request is pending and nothing moves. The stream of changes never ends, so the network is never idle. */
export async function atRest(page: Page, waits = false): Promise<void> {
  const answered = () =>
    page.locator('[data-slot=progress-bar], [data-slot=skeleton], [data-slot=loading]').first().waitFor({ state: 'detached' })
  if (!waits) await answered()
  await quiet(page)
  // The last answer may have caused another request.
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

/** Waits until nothing has changed for a while. */
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
