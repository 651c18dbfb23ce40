import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { linkIn, mailTo } from '../support/mails.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

describe('a person in two accounts, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  it('accepts an invitation, works there as a viewer alone, and is out within 5 s but still in their own account', async () => {
    const ada = await openPage(browser, product.base)
    await signInAs(ada.page, 'ada@nile.example', PASSWORD)
    await ada.page.getByRole('link', { name: 'Team' }).click()
    await ada.page.getByRole('button', { name: 'Invite' }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Invite a person' })
    await dialog.getByLabel('First name').fill('Bola')
    await dialog.getByLabel('Last name').fill('Guest')
    await dialog.getByLabel('Email').fill('bola@lagos.example')
    await dialog.getByRole('radio', { name: 'Viewer' }).check()
    await dialog.getByLabel('Email').press('Enter')
    await ada.page.getByRole('row', { name: /Bola Guest.*Invited/ }).waitFor()

    // The link leads to the sign-in and from there to the invitation.
    const bola = await openPage(browser, product.base)
    await bola.page.goto(linkIn(await mailTo(product.dataDir, 'bola@lagos.example')).href)
    await bola.page.getByLabel('Username').fill('bola@lagos.example')
    await bola.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await bola.page.getByLabel('Password', { exact: true }).press('Enter')
    await bola.page.getByText('Ada Hassan invites you to work for this account').waitFor()
    await bola.page.getByRole('button', { name: 'Join Nile Travel' }).click()
    const switcher = bola.page.getByRole('button', { name: /^Account: Nile Travel/ })
    await switcher.waitFor()
    await bola.page.locator('tbody tr a').first().waitFor()
    await bola.page.getByRole('link', { name: 'Team' }).click()
    await bola.page.getByRole('row', { name: /Ada Hassan/ }).waitFor()
    expect(await bola.page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    expect(await bola.page.getByRole('link', { name: 'Billing' }).count()).toBe(0)

    // A reload keeps the account; the menu leads home and back.
    await bola.page.reload()
    await switcher.press('Enter')
    await bola.page.getByRole('menuitemradio', { name: /Advertiser/ }).press('Enter')
    const home = bola.page.getByRole('button', { name: /^Account: Lagos/ })
    await home.waitFor()
    await bola.page.getByRole('link', { name: 'Team' }).click()
    await bola.page.getByRole('button', { name: 'Invite' }).waitFor()
    await home.press('Enter')
    await bola.page.getByRole('menuitemradio', { name: /Nile Travel/ }).press('Enter')
    await switcher.waitFor()
    await bola.page.locator('tbody tr a').first().waitFor()

    await ada.page.reload()
    const name = /Actions on Bola/
    await ada.page.getByRole('button', { name }).press('Enter')
    await ada.page.getByRole('menuitem', { name: 'Deactivate' }).press('Enter')
    await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
    await ada.page.getByRole('row', { name: /Bola.*Deactivated/ }).waitFor()
    await bola.page.getByRole('alert').getByRole('button').click({ timeout: 6000 })
    // Still in the account of their own, and in no other: there is nothing to choose.
    await bola.page.getByRole('link', { name: 'Team' }).click()
    await bola.page.getByRole('button', { name: 'Invite' }).waitFor()
    expect(await bola.page.getByRole('button', { name: /^Account:/ }).count()).toBe(0)
    expect([...ada.complaints, ...bola.complaints]).toEqual([])
  })
})
