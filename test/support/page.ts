import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

export type Watched = {
  readonly page: Page
  /** Console errors, warnings and uncaught errors: there must be none. */
  readonly complaints: readonly string[]
  /** Clicks of the mouse so far. Filling a field counts none: a person gets there by Tab. */
  readonly clicks: () => number
}

/**
 * A page in a signed-out context of its own that records console messages. It is closed with its test: an open page would
 * refetch on every change made by later tests.
 */
export async function openPage(
  browser: Browser,
  base: string,
  options: { readonly colorScheme?: 'light' | 'dark'; readonly locale?: string } = {},
): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 1366, height: 768 },
    colorScheme: options.colorScheme ?? 'light',
    locale: options.locale ?? 'en-US',
  })
  // Against what hangs: a machine with other work must not meet it.
  context.setDefaultTimeout(120_000)
  onTestFinished(async () => {
    // A route that still answers a call of the page would fail, after the test, because its page is gone.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // The browser itself logs a refused call; tests check its effect on the screen.
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints, clicks: await countClicks(page) }
}

/** Counts the clicks of the mouse from the next page that it opens on. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countClick', () => void clicks++)
  await page.addInitScript(() => {
    // A click without a detail comes from a key.
    const count = (event: MouseEvent) => {
      if (event.isTrusted && event.detail > 0) void (window as unknown as { countClick: () => Promise<void> }).countClick()
    }
    addEventListener('click', count, { capture: true })
  })
  return () => clicks
}

export async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/auth/login')
  await page.getByLabel('Username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/auth/') && pathname !== '/')
}

/** Presses Publish in the form of a campaign, and then in the review that it opens. */
export async function publishForm(page: Page, confirm = 'Publish'): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('dialog', { name: 'Review and publish' }).getByRole('button', { name: confirm, exact: true }).click()
}

/** Finds a country by its name, in the field for it, and picks it. */
export async function pickCountry(page: Page, name: string, label = 'Country'): Promise<void> {
  await page.getByLabel(label).fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}
