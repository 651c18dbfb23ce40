import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD, png, startTestProduct, type TestProduct } from '../support/product.ts'
import { openWebKit, WEBKIT } from '../support/webkit.ts'

const labelled = (label: string) => `//*[@id=(//label[starts-with(normalize-space(.), "${label}")]/@for)]`
const button = (name: string) => `//button[normalize-space(.)="${name}" or @aria-label="${name}"]`
const text = (words: string) => `//*[contains(text(), "${words}")]`

/** CI installs none, so it is left out there unless one is found. */
describe.skipIf(WEBKIT === null)(
  `the application in WebKit (${WEBKIT ?? 'left out: none was found, install webkit2gtk-driver and xvfb'})`,
  () => {
    let product: TestProduct
    let folder = ''
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'placard-webkit-'))
      product = await startTestProduct()
    })
    afterAll(async () => {
      await product.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('an advertiser signs in, opens every page, types a campaign, and publishes it', async () => {
      const page = await openWebKit()
      onTestFinished(() => page.close())
      await page.open(`${product.base}/auth/login`)
      await page.evaluate(`
        window.complaints = []
        for (const level of ['error', 'warn']) console[level] = (...texts) => window.complaints.push(texts.map(String).join(' '))
        addEventListener('error', ({ message }) => window.complaints.push(message))
      `)
      await page.type(labelled('Username'), 'ada@nile.example')
      await page.type(labelled('Password'), PASSWORD)
      await page.click(button('Sign in'))
      await page.find(text('Luxor'))
      for (const link of ['Audience', 'Events', 'Reports', 'Billing', 'Settings', 'Campaigns']) {
        await page.click(`//nav//a[normalize-space(.)="${link}"]`)
        await page.find(`//h1[starts-with(normalize-space(.), "${link}")]`)
      }

      await page.click(button('New campaign'))
      await page.click(`//*[@role="dialog"]${text('Awareness')}`)
      await page.find(labelled('End date'))
      // An empty day must not look like today.
      const days = 'return [...document.querySelectorAll("input[placeholder=\'MM/DD/YYYY\']")].map(({ value }) => value)'
      expect(await page.evaluate(days)).toEqual(['', ''])
      await page.type(labelled('Campaign name'), ' over Giza')
      await page.type(labelled('Country'), 'Egypt')
      await page.click('//*[@role="option"][.="Egypt"]')
      await page.click(button('Set country'))
      await page.type(labelled('Daily budget'), '40')
      await page.type(labelled('Start date'), '12/24/2099')
      await page.click(button('Calendar of End date'))
      await page.click(button('Thursday, December 31, 2099'))
      await page.type(labelled('Landing page URL'), 'https://nile.example/giza')
      await page.click(button('Save & Next'))
      const section = async (name: string) => {
        await page.click(`//a[normalize-space(.)="${name}"]`)
        await page.find(`//a[@aria-current="page"][starts-with(normalize-space(.), "${name}")]`)
      }
      for (const name of [
        'Targeting',
        'Responsive ads',
        'Native ads',
        'Video ads',
        'Frequency & schedule',
        'Placements',
        'Geography',
      ])
        await section(name)
      await section('Banner ads')
      const file = join(folder, 'giza.png')
      await writeFile(file, await png(300, 250))
      await page.type(
        '//input[@aria-label="Drop images or a zip here, or choose files" or ../descendant::*[contains(text(), "Drop images")]]',
        file,
      )
      await page.type(labelled('Creative name'), 'giza sunrise')
      await page.click(button('Publish'))
      await page.click(`//*[@role="dialog"]${button('Publish')}`)
      await page.find(text('Campaign published successfully!'))
      expect(await page.evaluate('return window.complaints')).toEqual([])

      const ada = await product.as('ada@nile.example')
      const listed = await ada.call<{ data: readonly { id: string; name: string }[] }>('POST', '/v1/campaign/list/v2', {
        page: 0,
        page_size: 25,
      })
      const made = listed.data.data.find((campaign) => campaign.name === 'New Campaign over Giza')
      expect((await ada.call<object>('GET', `/v1/campaign/${made?.id}`)).data).toMatchObject({
        status_key: 1,
        budget: 40,
        campaign_start_at: '2099-12-23T22:00:00.000Z',
        campaign_end_at: '2099-12-31T21:59:59.999Z',
      })
    })
  },
)
