import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { linkIn, mailTo, outboxOf } from '#test/support/mails'
import { signInAs } from '#test/support/page'
import { PASSWORD } from '#test/support/product'
import { BY_KEYS_IN_RUSSIAN, walkIn } from './walk.ts'

const NEW_PASSWORD = 'Kestrel-Quarry#58'
const ADA = 'ada@nile.example'
const BOLA = 'bola@lagos.example'

/** Ada in Nile Travel and Bola in Lagos Foods: the people and the cards of an account. */
describe('the owner of an account', () => {
  const walk = walkIn()

  /** Invites a viewer. Returns the link of the mail. */
  async function invite(page: Page, first: string, email: string) {
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a person' })
    await dialog.getByLabel('First name').fill(first)
    await dialog.getByLabel('Last name').fill('Nabil')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('radio', { name: 'Viewer' }).check()
    await dialog.getByLabel('Email').press('Enter')
    await page.getByRole('row', { name: new RegExp(`${first}.*Invited`) }).waitFor()
    return linkIn(await mailTo(walk.product.dataDir, email)).href
  }
  /** Chooses an action from the menu of a person, once the person joined. */
  const choose = async (page: Page, first: string, action: string) => {
    await page.reload()
    await page.getByRole('row', { name: new RegExp(`${first}.*Active`) }).waitFor()
    await page.getByRole('button', { name: new RegExp(`^Actions on ${first}`) }).press('Enter')
    await page.getByRole('menuitem', { name: action }).press('Enter')
  }
  const deactivate = async (page: Page, first: string) => {
    await choose(page, first, 'Deactivate')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('row', { name: new RegExp(`${first}.*Deactivated`) }).waitFor()
  }

  it('invites a viewer, who joins and only reads, grants a right, which the open page follows, and puts the viewer out', async () => {
    const ada = await walk.arrive(ADA, '/team')
    const page = await walk.arrive(null, await invite(ada, 'Tarek', 'tarek@nile.example'))
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Complete Registration' }).click()
    await page.getByText('Your account is successfully verified, you can now log in.').waitFor()
    await signInAs(page, 'tarek@nile.example', NEW_PASSWORD)
    await page.locator('tbody tr a').first().click()
    const name = page.getByRole('textbox', { name: 'Campaign name' })
    await name.waitFor()
    expect(await name.isEditable()).toBe(false)

    await choose(ada, 'Tarek', 'Rights')
    const write = ada.getByRole('listitem').filter({ hasText: 'Create, change, run and archive campaigns' })
    await write.getByRole('button', { name: 'Grant' }).click()
    await write.getByText(/^Granted by Ada Hassan/).waitFor()
    await expect.poll(() => name.isEditable()).toBe(true)
    await name.fill('Changed by Tarek')
    await page.keyboard.press('Control+S')
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    await deactivate(ada, 'Tarek')
    await page.waitForURL('**/auth/login*')
  })

  it('invites a user of another account, who works in both and is left with the own one', async () => {
    const ada = await walk.arrive(ADA, '/team')
    // The link leads to the sign-in and from there to the invitation.
    const bola = await walk.arrive(null, await invite(ada, 'Bola', BOLA))
    await bola.getByLabel('Username').fill(BOLA)
    await bola.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await bola.keyboard.press('Enter')
    await bola.getByRole('button', { name: 'Join Nile Travel' }).click()
    const nile = bola.getByRole('button', { name: /^Account: Nile Travel/ })
    await nile.waitFor()
    await bola.getByRole('link', { name: 'Team' }).click()
    await bola.getByRole('row', { name: /Ada Hassan/ }).waitFor()
    expect(await bola.getByRole('button', { name: 'Invite' }).count()).toBe(0)

    // A reload keeps the account; the menu leads home and back.
    await bola.reload()
    await nile.press('Enter')
    await bola.getByRole('menuitemradio', { name: /Advertiser/ }).press('Enter')
    await bola.getByRole('button', { name: /^Account: Lagos/ }).press('Enter')
    await bola.getByRole('menuitemradio', { name: /Nile Travel/ }).press('Enter')
    await nile.waitFor()
    await deactivate(ada, 'Bola')
    await bola.getByRole('alert').getByRole('button').click()
    await bola.getByRole('link', { name: 'Team' }).click()
    await bola.getByRole('button', { name: 'Invite' }).waitFor()
    expect(await bola.getByRole('button', { name: /^Account:/ }).count()).toBe(0)
  })

  it('refills with a card: the receipt comes, and a campaign that waits for funds starts by itself', async () => {
    const bola = await walk.product.as(BOLA)
    type Listed = { readonly data: readonly { readonly id: string; readonly status_key: number }[] }
    const statuses = async () => (await bola.call<Listed>('POST', '/v1/campaign/list/v2', {})).data.data
    const waiting = (await statuses()).find(({ status_key }) => status_key === 44)?.id
    expect(waiting).toBeDefined()
    const page = await walk.arrive(BOLA, '/payments/history')
    await page.getByRole('button', { name: 'Refill' }).click()
    const refill = page.getByRole('dialog', { name: 'Refill the balance' })
    await refill.getByRole('button', { name: 'Add a card' }).click()
    const add = page.getByRole('dialog', { name: 'Add a card' })
    await add.getByText('Visa •••• 4242').click()
    await add.getByRole('button', { name: 'Add a card' }).click()
    await refill.getByRole('button', { name: '₦100,000.00' }).click()
    await refill.getByRole('button', { name: 'Pay ₦100,000.00' }).click()
    await refill.getByText('₦100,000.00 added to the balance').waitFor()
    await refill.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Funds').getByText('₦100,000.00').first().waitFor()
    await expect.poll(async () => (await statuses()).find(({ id }) => id === waiting)?.status_key).toBe(3)
    const receipts = async () => (await outboxOf(walk.product.dataDir)).filter(({ subject }) => subject?.startsWith('Receipt'))
    await expect.poll(async () => (await receipts())[0]?.text).toContain('Visa •••• 4242')
  })

  it('the owner of an account by keyboard, in Russian in the dark: adds a card whose bank asks, and confirms the payment', async () => {
    const page = await walk.arrive(BOLA, '/payments/history?tab=cards', BY_KEYS_IN_RUSSIAN)
    await page.getByRole('button', { name: 'Добавить карту' }).press('Enter')
    const add = page.getByRole('dialog', { name: 'Добавить карту' })
    await add.getByRole('radio', { name: /3-D Secure/ }).press('Space')
    await add.getByRole('button', { name: 'Добавить карту' }).press('Enter')
    await page.getByTestId('card').filter({ hasText: '3155' }).waitFor()
    await page.getByRole('button', { name: 'Пополнить' }).press('Enter')
    const refill = page.getByRole('dialog', { name: 'Пополнение баланса' })
    await refill.getByLabel('Сумма').fill('2500,50')
    await refill.getByLabel('Карта').selectOption({ label: 'Visa •••• 3155' })
    await refill.getByRole('button', { name: /^Оплатить/ }).press('Enter')
    await refill.getByText('Банк просит подтвердить платёж').waitFor()
    await refill.getByRole('button', { name: 'Подтвердить' }).press('Enter')
    await refill.getByText(/Баланс пополнен на/).waitFor()
  })
})
