import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startProduct } from '#api/compose'
import { readConfig } from '#api/config'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/product.ts'
import { felucca } from './showcase.ts'
import type { Person } from './people.ts'
import { placesOf } from './places.ts'
import { open, signedInOnce } from './visit.ts'

/**
 * `npm run film`: plays the main story on a new installation and stores it as docs/film.webp: an advertiser makes a campaign and drops its
 * banners, a moderator approves it, it runs, and an owner reads its change log.
 */
const FILE = fileURLToPath(new URL('../../docs/film.webp', import.meta.url))
const WIDTH = 1000

type Frame = { readonly picture: Buffer; readonly ms: number }
const frames: Frame[] = []

/** A frame with what happens in it at its foot, shown for some time, milliseconds. */
async function shot(page: Page, words: string, ms = 1600): Promise<void> {
  await page.evaluate((text) => {
    const foot = document.querySelector('#film') ?? document.body.appendChild(document.createElement('div'))
    foot.id = 'film'
    foot.textContent = text
    foot.setAttribute(
      'style',
      'position:fixed;left:50%;bottom:84px;transform:translateX(-50%);z-index:9999;padding:8px 18px;border-radius:999px;font:600 16px system-ui;background:#101828;color:#fff;pointer-events:none',
    )
  }, words)
  frames.push({
    picture: await sharp(await page.screenshot())
      .resize(WIDTH)
      .png()
      .toBuffer(),
    ms,
  })
}

const folder = await mkdtemp(join(tmpdir(), 'placard-film-'))
const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), settings: { fsync: 'off' } })
const product = await startProduct(
  readConfig({
    DATABASE_URL: server.url,
    PLACARD_DATA_DIR: join(folder, 'data'),
    PLACARD_DEMO: 'on',
    PLACARD_DEMO_DELIVERY: 'off',
    PLACARD_UNSAFE_DATABASE: 'on',
    PORT: '0',
    LOG_LEVEL: 'error',
  }),
)
const base = product.address ?? ''
const as = signedInOnce((email) => signIn(base, email))
const browser = await launchBrowser()
const sizes = BANNER_SIZES.filter(({ key }) => [101, 102, 103, 104, 106, 108].includes(key))

try {
  const tour = { browser, base, as, places: await placesOf(base, as) }
  const enter = async (person: Person) => open(tour, person, { theme: 'light', language: 'en', width: 1366 })

  const ada = await enter('advertiser')
  const { page } = ada
  await page.goto('/campaigns')
  await page.getByRole('link', { name: 'Luxor by river' }).waitFor()
  await shot(page, 'An advertiser starts a campaign')
  await page.getByRole('button', { name: 'New campaign' }).click()
  await page.getByRole('button', { name: /^Awareness/ }).waitFor()
  await shot(page, 'The objective decides which fields it has', 1200)
  await page.getByRole('button', { name: /^Awareness/ }).click()
  await page.getByLabel('Campaign name').fill('Sunrise over Giza')
  await page.getByRole('combobox', { name: 'Country' }).fill('Egypt')
  await page.getByRole('option', { name: 'Egypt' }).click()
  await page.getByRole('button', { name: 'Set country' }).click()
  await page.getByLabel('Daily budget').fill('40')
  await page.getByLabel('Landing page URL').fill('https://nile.example/giza')
  await page
    .getByText(/people$/)
    .first()
    .waitFor()
  await shot(page, 'Budget, address, and how many people it reaches')
  await page.getByRole('link', { name: 'Banner ads' }).click()
  await page.getByText(/of the banner places/).waitFor()
  await shot(page, 'Which banner sizes are missing, and what each would add')
  await page.getByLabel('Choose a file').setInputFiles(
    await Promise.all(
      sizes.map(async ({ width, height }) => ({
        name: `giza_${width}x${height}.png`,
        mimeType: 'image/png',
        buffer: await felucca(width, height),
      })),
    ),
  )
  await page
    .getByRole('article')
    .nth(sizes.length - 1)
    .waitFor()
  await shot(page, 'Six banners in one drop, sized and named by their files', 2000)
  await page.getByRole('button', { name: 'Publish' }).click()
  const review = page.getByRole('dialog', { name: 'Review and publish' })
  await review.getByText('Account balance').waitFor()
  await shot(page, 'What waits for review, what it costs, what people will see', 2600)
  await review.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('row', { name: /Sunrise over Giza/ }).waitFor()
  await shot(page, 'Sent for review')

  const moderator = await enter('moderator')
  await moderator.page.goto('/moderation')
  await moderator.page.getByText('Sunrise over Giza').first().click()
  await moderator.page.getByRole('heading', { name: 'Sunrise over Giza' }).waitFor()
  await moderator.page
    .locator('#content article img')
    .first()
    .evaluate((picture: HTMLImageElement) => picture.decode())
  await shot(moderator.page, 'A moderator sees the ads and what is new', 2200)
  await moderator.page.keyboard.press('a')
  await moderator.page.getByText('Campaign Approved Successfully').waitFor()
  await shot(moderator.page, 'One key approves, and another takes it back')
  // It is sent when it can no longer be taken back.
  await moderator.page.waitForTimeout(6000)
  await moderator.close()

  await page.goto('/campaigns?q=Sunrise')
  const row = page.getByRole('row', { name: /Sunrise over Giza/ })
  for (let tries = 0; tries < 60 && !(await row.textContent())?.includes('Running'); tries++) {
    await page.waitForTimeout(500)
    await page.reload()
    await row.waitFor()
  }
  await shot(page, 'The exchanges approve it, and it runs', 2200)
  await ada.close()

  const owner = await enter('owner')
  await owner.page.goto('/admin/campaigns?q=Sunrise')
  await owner.page
    .getByRole('row', { name: /Sunrise over Giza/ })
    .getByRole('link', { name: 'Sunrise over Giza' })
    .click()
  await owner.page.getByRole('link', { name: /^Change log/ }).click()
  await owner.page.locator('[data-testid^=log-row-]').first().waitFor()
  await shot(owner.page, 'Who did what, field by field, and proof of it', 2600)
  await owner.close()

  await sharp(
    frames.map(({ picture }) => picture),
    { join: { animated: true } },
  )
    .webp({ quality: 72, effort: 5, loop: 0, delay: frames.map(({ ms }) => ms) })
    .toFile(FILE)
  console.log(`${frames.length} frames in docs/film.webp`)
} finally {
  await browser.close()
  await product.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
