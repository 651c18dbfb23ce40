import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { linkIn, mailTo } from '../support/mails.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

const NEW_PASSWORD = 'Kestrel-Quarry#58'

type Invited = { readonly first: string; readonly last: string; readonly email: string; readonly role: string }

describe('the people of an account, in a browser', () => {
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

  async function invite(page: Page, { first, last, email, role }: Invited) {
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a person' })
    await dialog.getByLabel('First name').fill(first)
    await dialog.getByLabel('Last name').fill(last)
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('radio', { name: role }).check()
    await dialog.getByLabel('Email').press('Enter')
    await page.getByText(`Invitation sent to ${email}`).waitFor()
    await page.getByRole('row', { name: new RegExp(`${first} ${last}.*Invited`) }).waitFor()
  }

  /** Follows the link of the invitation, sets a password and signs in. */
  async function join(page: Page, email: string) {
    await page.goto(linkIn(await mailTo(product.dataDir, email)).href)
    await page.getByRole('heading', { name: 'Complete your registration' }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Complete Registration' }).click()
    await page.getByText('Your account is successfully verified, you can now log in.').waitFor()
    await signInAs(page, email, NEW_PASSWORD)
  }

  const choose = async (page: Page, name: string, action: string) => {
    await page.getByRole('button', { name: `Actions on ${name}` }).press('Enter')
    await page.getByRole('menuitem', { name: action }).press('Enter')
  }

  it('an owner invites a person, who sets a password and works, and is out within 5 s once deactivated', async () => {
    const owner = await openPage(browser, product.base)
    await signInAs(owner.page, 'ada@nile.example', PASSWORD)
    await owner.page.getByRole('link', { name: 'Team' }).click()
    await invite(owner.page, { first: 'Sara', last: 'Adel', email: 'sara@nile.example', role: 'Owner' })

    const guest = await openPage(browser, product.base)
    await join(guest.page, 'sara@nile.example')
    await guest.page.waitForURL('**/campaigns*')
    await guest.page.locator('tbody tr a').first().waitFor()

    await owner.page.reload()
    await owner.page.getByRole('row', { name: /Sara Adel.*Active/ }).waitFor()
    await choose(owner.page, 'Sara Adel', 'Deactivate')
    await owner.page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
    await owner.page.getByRole('row', { name: /Sara Adel.*Deactivated/ }).waitFor()
    await guest.page.waitForURL('**/auth/login*', { timeout: 5000 })

    await choose(owner.page, 'Sara Adel', 'Reactivate')
    await owner.page.getByText('Sara Adel can sign in again').waitFor()
    await signInAs(guest.page, 'sara@nile.example', NEW_PASSWORD)
    expect([...owner.complaints, ...guest.complaints]).toEqual([])
  })

  it('an owner invites a viewer, who reads everything of the work and is offered nothing that changes it', async () => {
    const owner = await openPage(browser, product.base)
    await signInAs(owner.page, 'ada@nile.example', PASSWORD)
    await owner.page.getByRole('link', { name: 'Team' }).click()
    await invite(owner.page, { first: 'Vera', last: 'Sayed', email: 'vera@nile.example', role: 'Viewer' })

    const { page, complaints } = await openPage(browser, product.base)
    await join(page, 'vera@nile.example')
    await page.waitForURL('**/campaigns*')
    const campaign = page.locator('tbody tr a').first()
    await campaign.waitFor()
    const offered = async (of: Page) => {
      const name = /^(New campaign|Create|Add|Billing|Invite|Upload|New audience|Rotate|Save$|Run$|Pause$)/
      const [buttons, links] = [of.getByRole('button', { name }), of.getByRole('link', { name })]
      return [...(await buttons.allTextContents()), ...(await links.allTextContents())]
    }
    const nothing = async (what: string) => expect([what, await offered(page)]).toEqual([what, []])
    // The same eyes see what an owner is offered.
    expect(await offered(owner.page)).toEqual(expect.arrayContaining(['Invite', 'Billing']))
    for (const name of ['Audience', 'Campaigns']) {
      await owner.page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await owner.page.getByRole('heading', { level: 1, name }).waitFor()
      await expect.poll(async () => (await offered(owner.page)).length, { timeout: 10_000 }).toBeGreaterThan(1)
    }
    await nothing('campaigns')
    await campaign.click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('textbox', { name: 'Campaign name' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Campaign name' }).isEditable()).toBe(false)
    for (const name of ['Reports', 'Audience', 'Events', 'Team']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.locator('[data-slot=skeleton], [data-slot=loading]').first().waitFor({ state: 'detached' })
      await nothing(name)
    }
    await page.getByRole('row', { name: /Ada Hassan.*Owner/ }).waitFor()
    expect([...owner.complaints, ...complaints]).toEqual([])
  })

  it('an owner grants a viewer the right to change campaigns until tomorrow, the viewer changes one, and is refused once it is taken', async () => {
    const owner = await openPage(browser, product.base)
    await signInAs(owner.page, 'ada@nile.example', PASSWORD)
    await owner.page.getByRole('link', { name: 'Team' }).click()
    await invite(owner.page, { first: 'Tarek', last: 'Nabil', email: 'tarek@nile.example', role: 'Viewer' })
    const { page, complaints } = await openPage(browser, product.base)
    await join(page, 'tarek@nile.example')
    await page.locator('tbody tr a').first().click()
    const name = page.getByRole('textbox', { name: 'Campaign name' })
    await name.waitFor()
    expect(await name.isEditable()).toBe(false)

    await owner.page.reload()
    await owner.page.getByRole('row', { name: /Tarek Nabil.*Active/ }).waitFor()
    await choose(owner.page, 'Tarek Nabil', 'Rights')
    const rights = owner.page.getByRole('dialog', { name: 'Rights of Tarek Nabil' })
    const write = rights.getByRole('listitem').filter({ hasText: 'Create, change, run and archive campaigns' })
    const tomorrow = new Date(Date.now() + 86_400_000)
    const day = [tomorrow.getMonth() + 1, tomorrow.getDate(), tomorrow.getFullYear()].map((part) => String(part).padStart(2, '0'))
    await rights.getByRole('textbox', { name: 'Last day of what you grant' }).fill(day.join('/'))
    await write.getByRole('button', { name: 'Grant' }).click()
    await write.getByText(/^Granted by Ada Hassan until /).waitFor()

    // The page of the viewer follows, without a new sign-in.
    await expect.poll(() => name.isEditable(), { timeout: 15_000 }).toBe(true)
    await name.fill('Changed by Tarek')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })

    // A page without its live stream still offers what the server refuses.
    await page.route('**/v1/stream*', (route) => route.abort())
    await page.route('**/v1/user/me', (route) => route.abort())
    await write.getByRole('button', { name: 'Take' }).click()
    await write.getByText('Not granted').waitFor()
    await page.waitForTimeout(5000)
    await name.fill('Changed again')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Illegal action').first().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('Changed by Tarek')
    expect(await name.isEditable()).toBe(false)
    expect([...owner.complaints, ...complaints]).toEqual([])
  }, 90_000)

  it('the owner of a white-label invites a moderator, who lands on the queue', async () => {
    const owner = await openPage(browser, product.base)
    await signInAs(owner.page, 'owner@dsp.example', PASSWORD)
    await owner.page.getByRole('link', { name: 'Staff' }).click()
    await invite(owner.page, { first: 'Ines', last: 'Duarte', email: 'ines@dsp.example', role: 'Moderator' })

    const guest = await openPage(browser, product.base)
    await join(guest.page, 'ines@dsp.example')
    await guest.page.waitForURL('**/moderation*')
    await guest.page.getByRole('heading', { level: 1, name: 'Moderation' }).waitFor()
    expect([...owner.complaints, ...guest.complaints]).toEqual([])
  })

  it('a role of staff waits for another owner, who comes by the link of the mail and confirms it', async () => {
    const owner = await openPage(browser, product.base)
    await signInAs(owner.page, 'owner@dsp.example', PASSWORD)
    await owner.page.getByRole('link', { name: 'Staff' }).click()
    await invite(owner.page, { first: 'Olga', last: 'Petrova', email: 'olga@dsp.example', role: 'Owner' })
    const second = await openPage(browser, product.base)
    await join(second.page, 'olga@dsp.example')
    await second.page.getByRole('button', { name: /^Current account/ }).waitFor()

    await owner.page.goto('/admin/customization')
    await owner.page.getByRole('switch', { name: 'Roles of staff need a second person' }).click()
    await owner.page.getByRole('button', { name: 'Save' }).click()
    await owner.page.getByText('Changes saved successfully!').waitFor()
    await owner.page.goto('/team')
    await owner.page.getByRole('button', { name: 'Invite' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Invite a person' })
    await dialog.getByLabel('First name').fill('Ravi')
    await dialog.getByLabel('Last name').fill('Menon')
    await dialog.getByLabel('Email').fill('ravi@dsp.example')
    await dialog.getByRole('radio', { name: 'Auditor' }).check()
    await dialog.getByLabel('Email').press('Enter')
    await owner.page.getByText('It waits for a second person').waitFor()
    const waits = (page: Page) => page.getByRole('region', { name: 'Waiting for a second person' })
    await waits(owner.page).getByText('Invite Ravi Menon (ravi@dsp.example) as: Auditor').waitFor()
    expect(await waits(owner.page).getByRole('button').allTextContents()).toEqual(['Withdraw'])

    const mail = await mailTo(product.dataDir, 'olga@dsp.example', 1, 'A role of staff waits')
    await second.page.goto(linkIn(mail).href)
    const confirm = waits(second.page).getByRole('button', { name: 'Confirm' })
    await confirm.focus()
    await second.page.keyboard.press('Enter')
    await second.page.getByText('It was confirmed and carried out').waitFor()
    await second.page.getByRole('row', { name: /Ravi Menon.*Auditor.*Invited/ }).waitFor()
    await waits(second.page).getByRole('button', { name: 'Show what was decided' }).press('Enter')
    await waits(second.page)
      .getByText(/^Confirmed by Olga Petrova/)
      .waitFor()
    expect([...owner.complaints, ...second.complaints]).toEqual([])
  })

  it('an owner hands an account over, signs in again, and has the role of the other person', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto('/team')
    await choose(page, 'Karim Saleh', 'Hand over ownership')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Hand over' }).click()
    await page.getByText('You handed the ownership over. Sign in again to go on with your new role.').waitFor()
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.waitForURL('**/payments/history*')
    expect(complaints).toEqual([])
  })
})
