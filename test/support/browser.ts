import { chromium, type Browser, type Page } from 'playwright-core'

/** Chromium's own background traffic would be refused here and anywhere without a way out, many times a minute. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium', args: QUIET })

export type Watched = {
  readonly page: Page
  /** Console errors, warnings and uncaught errors: there must be none. */ readonly complaints: readonly string[]
}

/** A page of its own signed-out context that notes everything the console complains about. */
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
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // A refused call is logged by the browser itself; the tests look at what the screen made of it.
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

export async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/auth/login')
  await page.getByLabel('Username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/campaigns*')
}
