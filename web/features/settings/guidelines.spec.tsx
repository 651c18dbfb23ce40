import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { CannedReason } from '#contract/review-guidelines'
import { listCredentials } from '#contract/service-credential'
import { readWhiteLabel, saveWhiteLabel, type WhiteLabelOut } from '#contract/white-label'
import { whitelabelInfo } from '#contract/white-label-info'
import { INFO, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { WHITE_LABEL } from '@/test/white-label-fixture'
import { fieldOf } from './guidelines-queries.ts'

const reason = (title: string, active = true): CannedReason => ({
  topic: 'Drugs',
  active,
  title: { en: title, ru: `${title} по-русски` },
  text: { en: `${title} is not allowed.`, ru: `${title} нельзя.` },
})

function open(reasons: CannedReason[] = []) {
  const server = signedInServer({ role: 'WL_OWNER' })
  let settings: WhiteLabelOut['whitelabel_settings'] = { ...WHITE_LABEL.whitelabel_settings, reject_reasons: reasons }
  const label = () => ({ ...WHITE_LABEL, whitelabel_settings: settings })
  const sent: unknown[] = []
  server.on(listCredentials, () => [])
  server.on(readWhiteLabel, label)
  server.on(whitelabelInfo, () => INFO)
  server.on(saveWhiteLabel, ({ body }) => {
    const { whitelabel_settings: changes } = body as { whitelabel_settings: Partial<typeof settings> }
    sent.push(changes)
    settings = { ...settings, ...changes }
    return { ...label(), position: '1', approval_id: null }
  })
  return { server, sent, user: userEvent.setup(), ...renderRoute('/settings') }
}
const list = () => screen.findByRole('list', { name: 'Canned reasons for rejections' })
const titles = async () =>
  within(await list())
    .getAllByRole('listitem')
    .map((item) => item.querySelector('p')?.textContent)

/** Fine print 101. */
describe('the guidelines of moderators', () => {
  it('the guidelines of moderators begin with the reasons of the product, and take one in both languages', async () => {
    const { user, sent } = open()
    expect(await screen.findByText('The reasons of the product are offered.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Add reason' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add reason' }))
    await user.type(dialog.getByLabelText('Title in English'), 'Alcohol')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(sent).toEqual([])
    await user.type(dialog.getByLabelText('Title in Russian'), 'Алкоголь')
    await user.type(dialog.getByLabelText('Text in English'), 'No alcohol.')
    await user.type(dialog.getByLabelText('Text in Russian'), 'Без алкоголя.')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent).toEqual([
        {
          reject_reasons: [
            {
              topic: '',
              active: true,
              title: { en: 'Alcohol', ru: 'Алкоголь' },
              text: { en: 'No alcohol.', ru: 'Без алкоголя.' },
            },
          ],
        },
      ]),
    )
    expect(await titles()).toEqual(['Alcohol'])
  })

  it('the guidelines of moderators are ordered, switched off and removed', async () => {
    const { user, sent } = open([reason('One'), reason('Two'), reason('Three')])
    expect(await titles()).toEqual(['OneDrugs', 'TwoDrugs', 'ThreeDrugs'])
    expect(screen.getByRole('button', { name: 'Move One up' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Move Three down' })).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Move Two up' }))
    await waitFor(async () => expect(await titles()).toEqual(['TwoDrugs', 'OneDrugs', 'ThreeDrugs']))
    await user.click(screen.getByRole('button', { name: 'Move One down' }))
    await waitFor(async () => expect(await titles()).toEqual(['TwoDrugs', 'ThreeDrugs', 'OneDrugs']))
    await user.click(screen.getByRole('button', { name: 'Change Three' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change reason' }))
    expect(dialog.getByLabelText('Text in Russian')).toHaveValue('Three нельзя.')
    await user.click(dialog.getByRole('switch', { name: 'Offered to moderators' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(async () => expect((await titles())[1]).toBe('ThreeDrugsNot offered'))
    await user.click(screen.getByRole('button', { name: 'Remove Two' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await waitFor(async () => expect(await titles()).toEqual(['ThreeDrugsNot offered', 'OneDrugs']))
    expect(sent).toHaveLength(4)
  })

  it('the guidelines of moderators have a checklist', async () => {
    const { user, sent } = open()
    await user.click(await screen.findByRole('button', { name: 'Add line' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add line' }))
    await user.type(dialog.getByLabelText('Line in English'), 'Price')
    await user.type(dialog.getByLabelText('Line in Russian'), 'Цена')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toEqual([{ review_checklist: [{ en: 'Price', ru: 'Цена' }] }]))
    expect(await within(await screen.findByRole('list', { name: 'Checklist of reviews' })).findByText('Price')).toBeVisible()
  })

  it('the guidelines of moderators have a share of second looks and banned words, one on each line', async () => {
    const { user, sent } = open()
    const section = await screen.findByText('Share of second looks, %')
    expect(section.nextElementSibling).toHaveTextContent('5% of the approvals')
    await user.click(screen.getByRole('button', { name: 'Change second looks and banned words' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change second looks and banned words' }))
    await user.clear(dialog.getByLabelText('Share of second looks, %'))
    await user.type(dialog.getByLabelText('Share of second looks, %'), '20')
    await user.type(dialog.getByLabelText('Banned words'), 'vodka{Enter}{Enter}водка')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toEqual([{ second_look_share: 20, banned_words: ['vodka', 'водка'] }]))
    expect(await screen.findByText('vodka, водка')).toBeVisible()
  })

  it('the guidelines of moderators keep what was typed when the server refuses it', async () => {
    const { user, server } = open()
    server.on(saveWhiteLabel, () =>
      refusal(2, 400, [
        {
          path: 'whitelabel_settings.review_checklist',
          code: 2,
          message: 'Maximum 30 entries',
          key: 'tooMany',
          params: { max: 30 },
        },
      ]),
    )
    await user.click(await screen.findByRole('button', { name: 'Add line' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add line' }))
    await user.type(dialog.getByLabelText('Line in English'), 'Price')
    await user.type(dialog.getByLabelText('Line in Russian'), 'Цена')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(dialog.getByLabelText('Line in English')).toHaveAccessibleDescription('At most 30 entries are allowed'),
    )
    expect(dialog.getByLabelText('Line in English')).toHaveValue('Price')
  })

  it.each([
    ['whitelabel_settings.reject_reasons[3].title.en', 'title_en'],
    ['whitelabel_settings.reject_reasons[3].text.ru', 'text_ru'],
    ['whitelabel_settings.reject_reasons[0].topic', 'topic'],
    ['whitelabel_settings.reject_reasons', 'title_en'],
    ['whitelabel_settings.review_checklist[29].ru', 'line_ru'],
    ['whitelabel_settings.review_checklist', 'line_en'],
    ['whitelabel_settings.second_look_share', 'second_look_share'],
    ['whitelabel_settings.banned_words[7]', 'banned_words'],
  ])('the guidelines of moderators show the fault of %s at %s', (path, field) => {
    expect(fieldOf(path)).toBe(field)
  })
})
