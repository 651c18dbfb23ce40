import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { DELIVERED, deliveryIn } from '#test/support/delivery'
import { keyIn, linkIn, mailTo } from '#test/support/mails'
import { eventually, PASSWORD, type Session } from '#test/support/product'
import { BY_KEYS_IN_RUSSIAN, walkIn } from './walk.ts'

const OWNER = 'owner@dsp.example'

describe('the owner of a white-label', () => {
  const walk = walkIn(DELIVERED)
  let owner: Session
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  let campaign = ''
  beforeAll(async () => {
    owner = await walk.product.as(OWNER)
    delivery = await deliveryIn(walk.product)
    campaign = await delivery.running({ name: 'Summer by the Nile' })
  })

  const column = (page: Page, place: number) => page.getByRole('columnheader').nth(place).textContent()
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
  /** Moves the focus to a control by Tab alone, and presses it. */
  async function tabTo(page: Page, wanted: Locator) {
    await wanted.waitFor()
    for (let steps = 0; steps < 120; steps++) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not lead to ${String(wanted)}`)
  }

  it('filters all campaigns, drags a column and shares the view, which a moderator opens in Russian by the palette', async () => {
    const page = await walk.arrive(OWNER, '/admin/campaigns')
    await page.getByRole('combobox', { name: 'Filter by account' }).fill('Nile Travel')
    await page.getByRole('option', { name: 'Nile Travel' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns' }).click()
    const impressions = page.getByRole('menuitemcheckbox', { name: 'Impressions' })
    await page.getByRole('menuitemcheckbox', { name: 'Spend' }).dragTo(impressions)
    await expect.poll(() => column(page, 2)).toBe('Spend')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a new view' })
    await dialog.getByLabel('Name').fill('Travel')
    await dialog.getByLabel('Who sees it').selectOption({ label: 'All staff' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'All campaigns: Travel' }).waitFor()

    const other = await walk.arrive('moderator@dsp.example', '/admin/campaigns', BY_KEYS_IN_RUSSIAN)
    await other.getByRole('button', { name: 'Виды', exact: true }).waitFor()
    await other.keyboard.press('Control+K')
    await other.getByRole('option', { name: 'Вид: Travel' }).waitFor()
    await other.keyboard.type('вид travel')
    await other.keyboard.press('Enter')
    await other.getByRole('heading', { name: 'Все кампании: Travel' }).waitFor()
    await other.getByRole('list', { name: 'Выбранные аккаунты' }).getByText('Nile Travel').waitFor()
    expect(await column(other, 1)).toBe('Расход')
  })

  // covers USR-21 USR-22 ROLE-05 ROLE-06
  it('finds an account with a typing error, switches into it, edits a campaign and goes back, by keyboard', async () => {
    const page = await walk.arrive(OWNER, '/campaigns', { byKeys: true })
    const drawer = page.getByRole('dialog', { name: 'Search accounts and campaigns' })
    const search = async (text: string, found: Locator, name: string) => {
      await page.getByRole('button', { name: /^Current account/ }).waitFor()
      await page.keyboard.press('/')
      await drawer.waitFor()
      await page.keyboard.type(text)
      await found.waitFor()
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => focused(page)).toContain(name)
      await page.keyboard.press('Enter')
    }
    await search('nile travle', drawer.getByRole('tab', { name: 'Accounts (1)' }), 'Nile Travel')
    await page.getByRole('link', { name: 'Summer by the Nile' }).waitFor()
    // A reload keeps the account.
    await page.reload()
    await page.getByText('You act in Nile Travel').waitFor()
    await search('sumer', drawer.getByRole('button', { name: /Summer by the Nile/ }), 'Summer by the Nile')
    await page.waitForURL(`**/campaign/edit/${campaign}?tab=basicInfo`)
    await page.getByLabel('Daily budget').first().fill('61')
    await page.keyboard.press('Control+S')
    await expect.poll(async () => (await delivery.ada.call('GET', `/v1/campaign/${campaign}`)).data.budget).toBe(61)
    await tabTo(page, page.getByRole('button', { name: 'Back to my account' }))
    await page.getByText('You act in Nile Travel').waitFor({ state: 'detached' })
  })

  it('tries bidding rules before saving: sees what they match, has them explained, and finds them again', async () => {
    const events = async () => (await walk.product.database.pool.query('select count(*) from es.events')).rows
    const page = await walk.arrive(OWNER, `/campaign/edit/${campaign}?tab=advancedBidding`)
    const before = await events()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const value = async (rule: string, filter: string, operator: string) => {
      const group = page.getByRole('group', { name: rule, exact: true })
      await group.getByLabel('Filter').selectOption({ label: filter })
      await group.getByLabel('Operator').selectOption({ label: operator })
      return group.getByLabel('Value')
    }
    await press('Add')
    await press('Add rule to group 1')
    const os = await value('Rule 1 of 1 in group 1', 'OS', 'is')
    await os.selectOption({ label: 'Windows' })
    await press('Add group within group 1')
    await (await value('Rule 1 of 1 in group 1.1', 'Device IP', 'is in the range')).fill('10.0.0.0/8')
    await page.getByLabel(/^Multiplier of/).fill('1.5')
    await page.getByText(/^Matches [\d.]+% of impressions \(saved rules: [\d.]+%\)/).waitFor()
    await press('Explain')
    await page.getByText('No entry matches: the bid stays as it is (× 1)').waitFor()
    // The sample asks for an Android phone at 10.0.0.7.
    await os.selectOption({ label: 'Android' })
    await press('Explain')
    await page.getByText('decides: bid × 1.5').waitFor()
    expect(await events()).toEqual(before)

    const entry = page
      .getByRole('listitem', { name: /^Entry 1/ })
      .locator('p')
      .first()
    const said = (await entry.textContent()) ?? ''
    await page.keyboard.press('Control+S')
    await page.getByText('Changes Saved Successfully').waitFor()
    await page.goto(`/campaign/edit/${campaign}?tab=advancedBidding`)
    await expect.poll(() => entry.textContent()).toBe(said)
  })

  it('the owner of a white-label by keyboard, in Russian in the dark: suspends an account with what follows, and restores it', async () => {
    const serving = async () => {
      const { data } = await delivery.bidder.call<{ campaigns: { id: string }[] }>('GET', '/v1/delivery/campaigns')
      return data.campaigns.some(({ id }) => id === campaign)
    }
    const ada = await walk.arrive('ada@nile.example', '/campaigns')
    const page = await walk.arrive(OWNER, '/admin/accounts?q=nile', BY_KEYS_IN_RUSSIAN)
    const decide = async (button: string, reason: string) => {
      await tabTo(page, page.getByRole('button', { name: button, exact: true }))
      await page.getByRole('dialog').getByLabel('Причина').fill(reason)
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: `${button} аккаунт` }))
    }
    await page.getByRole('link', { name: 'Nile Travel' }).press('Enter')
    await decide('Приостановить', 'Счета не оплачены')
    await page.getByText(/Аккаунт приостановлен с .*Счета не оплачены/).waitFor()
    await eventually(serving, (serves) => !serves)
    // Ada is signed out at her next call.
    await ada.goto('/reports')
    await ada.waitForURL('**/auth/login*')
    await decide('Восстановить', 'Оплачено')
    await page.getByRole('button', { name: 'Приостановить' }).waitFor()
    await eventually(serving, (serves) => serves)
  })

  it('credits more than the limit once a second owner confirms it, in Russian, by the link of the mail', async () => {
    const { home_space_id: staff } = (await owner.call<{ home_space_id: string }>('GET', '/v1/user/me')).data
    const vera = { email: 'vera@dsp.example', first_name: 'Vera', last_name: 'Petrova', roles: ['WL_OWNER'] }
    expect((await owner.call('POST', `/v1/space/${staff}/team/invite`, vera)).code).toBe(0)
    const accepted = { token: keyIn(await mailTo(walk.product.dataDir, vera.email)), password: PASSWORD }
    expect((await owner.call('POST', '/v1/registration/complete', accepted)).code).toBe(0)
    const limit = { whitelabel_settings: { payment_approval_limit: 100 } }
    expect((await owner.call('PUT', '/v1/whitelabel/dsp', limit)).code).toBe(0)
    const bola = await walk.product.as('bola@lagos.example')
    const { home_space_id: lagos } = (await bola.call<{ home_space_id: string }>('GET', '/v1/user/me')).data
    const balance = async () => (await bola.call<{ balance: number }>('GET', `/v1/space/balance/${lagos}`)).data.balance
    const before = await balance()

    const asking = await walk.arrive(OWNER, '/admin/accounts?q=lagos')
    await asking.getByRole('link', { name: 'Lagos Foods' }).click()
    await asking.getByRole('button', { name: 'Credit funds' }).click()
    const credit = asking.getByRole('dialog', { name: 'Credit Lagos Foods' })
    await credit.getByLabel('Amount').fill('250')
    await credit.getByLabel('Comment').fill('Bank transfer')
    await credit.getByLabel('Amount').press('Enter')
    const mail = await mailTo(walk.product.dataDir, vera.email, 1, 'Money waits')
    expect(await balance()).toBe(before)

    const second = await walk.arrive(vera.email, linkIn(mail).href, BY_KEYS_IN_RUSSIAN)
    const waiting = second.getByRole('region', { name: 'Ждёт второго сотрудника' })
    await waiting.getByText('Пополнение Lagos Foods').waitFor()
    await waiting.getByRole('button', { name: 'Подтвердить' }).press('Enter')
    await expect.poll(balance).toBe(before + 250)
  })
})
