import type { Page } from 'playwright-core'
import { judge } from '../support/axe.ts'
import { clipped } from './clipped.ts'
import type { Person } from './people.ts'
import { isFirstSight, type Screen } from './screen.ts'
import { untranslated } from './untranslated.ts'
import { atRest, goOn, open, show, THEMES, type Look, type Tour } from './visit.ts'

type Themes = readonly Look['theme'][]

const WIDTH = 1280

/** One person's way through screens in one language: what was seen, and each fault with where it is. */
export type Walked = { readonly seen: number; readonly faults: readonly string[] }

export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''

/**
 * Looks the screens over that the person has. Those that need nothing are gone on to in one window, as links do; the others are opened
 * anew, each in a window of its own. Every one is looked at in both themes unless `themes` names fewer.
 */
export async function walk(
  tour: Tour,
  person: Person | null,
  language: Look['language'],
  screens: readonly Screen[],
  themes: (screen: Screen) => Themes = () => THEMES,
): Promise<Walked> {
  const faults: string[] = []
  const own = screens.filter((screen) => isFor(screen, person))
  const opened = () => open(tour, person, { language, theme: THEMES[0], width: WIDTH })
  const shared = await opened()
  await shared.page.goto('/')
  for (const screen of own) {
    const visit = isFirstSight(screen) ? shared : await opened()
    const where = `${screen.name}, ${person ?? 'signed-out'}, ${language}`
    try {
      await (visit === shared ? goOn(visit.page, screen, tour) : show(visit.page, screen, tour))
      faults.push(...(await faultsOf(visit.page, screen, themes(screen))).map((fault) => `${where}, ${fault}`))
    } catch (error) {
      faults.push(`${where}: ${firstLine(error)}`)
    }
    if (screen.fails !== true) faults.push(...visit.complaints().map((line) => `${where}: ${firstLine(line)}`))
    if (visit !== shared) await visit.close()
  }
  await shared.close()
  return { seen: own.reduce((sum, screen) => sum + themes(screen).length, 0), faults }
}

/** Null is whoever is not signed in. */
export const isFor = ({ people }: Screen, person: Person | null): boolean =>
  person === null ? people.length === 0 : people.includes(person)

/** What axe says in each theme, what is cut off, what is not translated. */
async function faultsOf(page: Page, { waits }: Screen, themes: Themes): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await atRest(page, waits)
    // Themes are colours and nothing else: the page is the same.
    const violations = await judge(page, colorScheme === themes[0] ? 'everything' : 'colours')
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`))
  }
  await page.emulateMedia({ colorScheme: THEMES[0] })
  return [...found, ...(await clipped(page)), ...(await untranslated(page))]
}

/** Everybody who comes by; null is whoever is not signed in. */
export const VISITED_BY = [null, 'advertiser', 'owner', 'moderator', 'auditor', 'accountant', 'clerk', 'admin'] as const
