import type { Page } from 'playwright-core'
import type { Person } from './people.ts'
import type { Screen } from './screen.ts'

/** A screen, or with steps one of its menus or dialogs: elements are pressed one after the other until `shows` is visible. */
export const opened = (
  name: string,
  people: readonly Person[],
  address: Screen['address'],
  shows: string,
  ...steps: readonly string[]
): Screen => ({
  name,
  people,
  address,
  shows: steps.length === 0 ? shows : 'body',
  ...(steps.length === 0 ? {} : { prepare: (page: Page) => press(page, steps, shows) }),
})

async function press(page: Page, steps: readonly string[], shows: string): Promise<void> {
  for (const step of steps) await page.locator(step).first().click()
  await page.locator(shows).first().waitFor()
}
