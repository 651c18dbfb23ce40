import type { Page } from 'playwright-core'
import { judge } from '../support/axe.ts'
import { clipped } from './clipped.ts'
import type { Person } from './people.ts'
import { isFirstSight, type Screen } from './screen.ts'
import { untranslated } from './untranslated.ts'
import { atRest, goOn, open, show, THEMES, type Appearance, type Tour } from './visit.ts'

type Themes = readonly Appearance['theme'][]

/** Subjects of `walk`: the themes of each screen, and the windows it is seen in after the first. */
export type Looks = { readonly themes: (screen: Screen) => Themes; readonly windows: readonly Size[] }
type Size = { readonly width: number; readonly height: number }

/** The common laptop. */
const FIRST_WIDTH = 1366
const FIRST: Looks = { themes: () => THEMES, windows: [] }
/** The common screen, and the laptop at 200 % zoom. */
export const WINDOWS: readonly Size[] = [
  { width: 1920, height: 1080 },
  { width: 683, height: 384 },
]

/** The visit of one user in one language: the checked screens, and each fault with its place. */
export type Walked = { readonly seen: number; readonly faults: readonly string[] }

export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''

/**
 * Checks the screens of a user. Screens without preparation are visited in one window by links; each of the others is opened in
 * its own window.
 */
export async function walk(
  tour: Tour,
  person: Person | null,
  language: Appearance['language'],
  screens: readonly Screen[],
  looks: Partial<Looks> = {},
): Promise<Walked> {
  const { themes, windows } = { ...FIRST, ...looks }
  const faults: string[] = []
  const own = screens.filter((screen) => isFor(screen, person))
  const opened = () => open(tour, person, { language, theme: THEMES[0], width: FIRST_WIDTH })
  const shared = await opened()
  await shared.page.goto('/')
  for (const screen of own) {
    const visit = isFirstSight(screen) ? shared : await opened()
    const where = `${screen.name}, ${person ?? 'signed-out'}, ${language}`
    try {
      await (visit === shared ? goOn(visit.page, screen, tour) : show(visit.page, screen, tour))
      faults.push(...(await faultsOf(visit.page, screen, themes(screen), windows)).map((fault) => `${where}, ${fault}`))
    } catch (error) {
      faults.push(`${where}: ${firstLine(error)}`)
    }
    if (screen.fails !== true) faults.push(...visit.complaints().map((line) => `${where}: ${firstLine(line)}`))
    if (visit !== shared) await visit.close()
  }
  await shared.close()
  return { seen: own.reduce((sum, screen) => sum + themes(screen).length, 0), faults }
}

/** Null is the signed-out visitor. */
export const isFor = ({ people }: Screen, person: Person | null): boolean =>
  person === null ? people.length === 0 : people.includes(person)

/** Faults by axe in each theme, truncated texts, and untranslated texts. */
async function faultsOf(page: Page, { waits }: Screen, themes: Themes, windows: Looks['windows']): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await atRest(page, waits)
    // A theme changes only colours, so the other checks need not be repeated.
    const of = colorScheme === themes[0] ? 'everything' : 'colours'
    found.push(...(await judgedTwice(page, of)).map((violation) => `${colorScheme}: ${violation}`))
  }
  await page.emulateMedia({ colorScheme: THEMES[0] })
  found.push(...(await clipped(page)), ...(await untranslated(page)))
  const first = page.viewportSize()
  for (const size of windows) {
    await page.setViewportSize(size)
    await atRest(page, waits)
    const seen = [...(await judgedTwice(page, 'everything')), ...(await clipped(page))]
    found.push(...seen.map((fault) => `${size.width} px: ${fault}`))
  }
  if (windows.length > 0 && first !== null) await page.setViewportSize(first)
  return found
}

/** Violations that stay: a busy machine may still be changing the theme at the first attempt. */
async function judgedTwice(page: Page, of: Parameters<typeof judge>[1]): Promise<readonly string[]> {
  if ((await judge(page, of)).length === 0) return []
  await page.waitForTimeout(1000)
  return judge(page, of)
}

/** All users to check as; null is the signed-out visitor. */
export const VISITED_BY = [null, 'advertiser', 'owner', 'moderator', 'auditor', 'accountant', 'clerk', 'admin'] as const
