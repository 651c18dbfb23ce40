import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TeamMember } from '#contract/team'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { keyIn, linkIn, mailTo } from '../support/mails.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

describe('a second person, in a browser', () => {
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

  const waits = (page: Page, name = 'Waiting for a second person') => page.getByRole('region', { name })

  /** A person who was invited and joined. */
  async function joined(by: Session, email: string, roles: readonly string[]): Promise<Session> {
    const { home_space_id: id } = (await by.call<{ home_space_id: string }>('GET', '/v1/user/me')).data
    const person = { email, first_name: 'Olga', last_name: 'Petrova', roles }
    expect((await by.call<{ member: TeamMember }>('POST', `/v1/space/${id}/team/invite`, person)).code).toBe(0)
    const body = JSON.stringify({ token: keyIn(await mailTo(product.dataDir, email)), password: PASSWORD })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${product.base}/v1/registration/complete`, { method: 'POST', headers, body })).status).toBe(200)
    return signIn(product.base, email)
  }

  it('resets a lost second factor: the owner asks, the owner of the platform confirms it by keyboard, and the person signs in', async () => {
    const ada = await product.as('ada@nile.example')
    const olga = await joined(ada, 'olga@nile.example', ['USER_VIEWER'])
    const begun = await olga.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', { password: PASSWORD })
    const code = new TOTP({ secret: Secret.fromBase32(begun.data.secret) }).generate()
    expect((await olga.call('POST', '/v1/user/second-factor/confirm', { code })).code).toBe(0)

    const asking = await openPage(browser, product.base)
    await signInAs(asking.page, 'ada@nile.example', PASSWORD)
    await asking.page.goto('/team')
    await asking.page.getByRole('button', { name: 'Actions on Olga Petrova' }).press('Enter')
    await asking.page.getByRole('menuitem', { name: 'Reset the second factor' }).press('Enter')
    const dialog = asking.page.getByRole('dialog', { name: 'Reset the second factor of Olga Petrova?' })
    await dialog.getByLabel('How you recognised the person').fill('She sits beside me')
    await dialog.getByRole('button', { name: 'Ask' }).click()
    await asking.page.getByText('It waits for a second person').waitFor()

    const mail = await mailTo(product.dataDir, 'owner@dsp.example', 1, 'A lost second factor waits')
    const second = await openPage(browser, product.base, { colorScheme: 'dark' })
    await signInAs(second.page, 'owner@dsp.example', PASSWORD)
    await second.page.goto(linkIn(mail).href)
    await waits(second.page).getByText('Reset the second factor of Olga Petrova').waitFor()
    await waits(second.page).getByText('She sits beside me').waitFor()
    await waits(second.page).getByRole('button', { name: 'Confirm' }).press('Enter')
    await second.page.getByText('It was confirmed and carried out').waitFor()

    const person = await openPage(browser, product.base)
    await signInAs(person.page, 'olga@nile.example', PASSWORD)
    await person.page.goto('/profile?tab=security')
    await person.page.getByRole('button', { name: 'Set up' }).waitFor()
    expect([...asking.complaints, ...second.complaints, ...person.complaints]).toEqual([])
  })

  it('approves a credit above the limit, in Russian, by the link of the mail', async () => {
    const owner = await product.as('owner@dsp.example')
    await joined(owner, 'vera@dsp.example', ['WL_OWNER'])
    const limit = await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { payment_approval_limit: 100 } })
    expect(limit.code).toBe(0)
    const bola = await product.as('bola@lagos.example')
    const { home_space_id: lagos } = (await bola.call<{ home_space_id: string }>('GET', '/v1/user/me')).data
    const balance = async () => (await bola.call<{ balance: number }>('GET', `/v1/space/balance/${lagos}`)).data.balance
    const before = await balance()

    const asking = await openPage(browser, product.base)
    await signInAs(asking.page, 'owner@dsp.example', PASSWORD)
    await asking.page.getByRole('button', { name: /^Current account/ }).waitFor()
    await asking.page.keyboard.press('/')
    await asking.page.getByRole('dialog', { name: 'Search accounts and campaigns' }).waitFor()
    await asking.page.keyboard.type('lag')
    await asking.page.getByRole('link', { name: 'Details of Lagos Foods' }).click()
    await asking.page.getByRole('button', { name: 'Credit funds' }).click()
    const credit = asking.page.getByRole('dialog', { name: 'Credit Lagos Foods' })
    await credit.getByLabel('Amount').fill('250')
    await credit.getByLabel('Comment').fill('Bank transfer')
    await credit.getByLabel('Amount').press('Enter')
    const mail = await mailTo(product.dataDir, 'vera@dsp.example', 1, 'Money waits')
    expect(await balance()).toBe(before)

    const second = await openPage(browser, product.base, { locale: 'ru-RU' })
    await second.page.goto(linkIn(mail).href)
    await second.page.evaluate(() => localStorage.setItem('DSP_LANGUAGE', 'ru'))
    await second.page.reload()
    await second.page.getByLabel('Имя пользователя').fill('vera@dsp.example')
    await second.page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
    await second.page.keyboard.press('Enter')
    await second.page.waitForURL('**/admin/payments*')
    const waiting = waits(second.page, 'Ждёт второго сотрудника')
    await waiting.getByText('Пополнение Lagos Foods').waitFor()
    await waiting.getByRole('button', { name: 'Подтвердить' }).press('Enter')
    await second.page.getByText('Подтверждено и выполнено').waitFor()
    await expect.poll(balance).toBe(before + 250)
    expect([...asking.complaints, ...second.complaints]).toEqual([])
  })
})
