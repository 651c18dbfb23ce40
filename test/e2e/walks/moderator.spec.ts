import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventually, publishable, type Session } from '#test/support/product'
import { BY_KEYS_IN_RUSSIAN, walkIn } from './walk.ts'

const MODERATOR = 'moderator@dsp.example'
const OWNER = 'owner@dsp.example'
const ADMIN = '/v1/whitelabel/admin'
const ALCOHOL = 'Alcohol is not advertised here.'

/** Fine print 101 and 104. Ten decisions in a row are those of `moderation.spec.ts`. */
describe('a moderator', () => {
  const walk = walkIn({ PLACARD_EXCHANGE_REVIEW: 'external' })
  let ada: Session
  let owner: Session
  beforeAll(async () => {
    ada = await walk.product.as('ada@nile.example')
    owner = await walk.product.as(OWNER)
    const text = { en: ALCOHOL, ru: 'Алкоголь здесь не рекламируют.' }
    const whitelabel_settings = {
      second_look_share: 100,
      banned_words: ['vodka'],
      reject_reasons: [{ topic: 'Banned words', active: true, title: { en: 'Alcohol', ru: 'Алкоголь' }, text }],
      review_checklist: [{ en: 'The price is shown', ru: 'Цена указана' }],
    }
    expect((await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings })).code).toBe(0)
  })

  const submitted = async (over: Record<string, unknown> = {}) =>
    (await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(walk.product.base, ada, over))).data
  /** The comment of the moderator, once the campaign is rejected. */
  const commentOn = async (id: string) => {
    type Read = { readonly status_key: number; readonly moderator_comment: string }
    const read = async () => (await owner.call<Read>('GET', `/v1/campaign/${id}`)).data
    return (await eventually(read, ({ status_key }) => status_key === 2)).moderator_comment
  }
  const decidable = (page: Page, state: 'enabled' | 'disabled' = 'enabled') =>
    page.locator(`button[aria-keyshortcuts=A]:${state}`).waitFor()
  const send = async (page: Page, name: string) => {
    await page.getByRole('dialog', { name }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog', { name }).waitFor({ state: 'detached' })
  }

  it('takes a held submission over, rejects it by keys with a canned reason, takes that back, and sends it', async () => {
    const { id } = await submitted()
    const first = await walk.arrive(MODERATOR, `/moderation?id=${id}`)
    await decidable(first)
    const second = await walk.arrive(OWNER, `/moderation?id=${id}`, { byKeys: true })
    await second.getByText(/ reviews this campaign$/).waitFor()
    await decidable(second, 'disabled')
    await second.keyboard.press('t')
    await decidable(second)
    // Without a reload.
    await first.getByText(/ took this campaign over$/).waitFor()
    await decidable(first, 'disabled')

    await second.getByRole('checkbox', { name: 'The price is shown' }).waitFor()
    await second.keyboard.press('r')
    await second.getByRole('combobox', { name: 'Find a reason' }).waitFor()
    await second.keyboard.type('alco')
    await second.keyboard.press('Enter')
    await send(second, 'Reject campaign')
    await second.keyboard.press('z')
    await expect.poll(() => second.getByLabel('In your words').inputValue()).toBe(ALCOHOL)
    // No message lies over the buttons of the panel.
    const dialog = second.getByRole('dialog', { name: 'Reject campaign' })
    await dialog.getByRole('button', { name: /^Reject/ }).hover({ trial: true })
    await send(second, 'Reject campaign')
    expect(await commentOn(id)).toBe(ALCOHOL)
    await first
      .getByText(/No longer waiting|Updated while in moderation/)
      .first()
      .waitFor()
  })

  it('disagrees with a sampled approval, which rejects the campaign', async () => {
    const { id, name, moderation_start_at } = await submitted()
    const approval = { campaign_id: id, moderation_start_at }
    expect((await (await walk.product.as(MODERATOR)).call('POST', `${ADMIN}/campaign/approve`, approval)).code).toBe(0)
    type Listed = { readonly data: readonly { readonly campaign_id: string }[] }
    await eventually(
      () => owner.call<Listed>('POST', `${ADMIN}/moderation/second-looks`, {}),
      ({ data }) => data.data.some(({ campaign_id }) => campaign_id === id),
    )
    const page = await walk.arrive(OWNER, `/moderation?tab=second&id=${id}`, { byKeys: true })
    await page.getByRole('heading', { name }).waitFor()
    await decidable(page)
    await page.keyboard.press('r')
    await page.getByLabel('In your words').fill('The price is missing')
    await send(page, 'Reject campaign')
    await page.getByText('You disagreed with the approval').waitFor()
    expect(await commentOn(id)).toBe('The price is missing')
  })

  it('a moderator in Russian in the dark: sees what simple checks found, and R begins with the canned reason that fits', async () => {
    const native_ad = { headline: 'Vodka for all', body: 'Fresh', advertiser: 'Nile', images: [] }
    const { id } = await submitted({ product_url: 'http://nile.example', native_ad })
    const page = await walk.arrive(MODERATOR, `/moderation?id=${id}`, BY_KEYS_IN_RUSSIAN)
    const findings = page.getByRole('region', { name: 'Простые проверки' })
    for (const text of ['Запрещённое слово', 'Адрес без https']) await findings.getByText(text, { exact: true }).first().waitFor()
    await decidable(page)
    await page.keyboard.press('r')
    await expect.poll(() => page.getByLabel('Своими словами').inputValue()).toBe(ALCOHOL)
    await send(page, 'Отклонить кампанию')
    expect(await commentOn(id)).toBe(ALCOHOL)
  })
})
