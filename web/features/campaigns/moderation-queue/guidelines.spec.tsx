import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { approveCampaign, rejectCampaign, reviewGuidelines } from '#contract/moderation'
import type { CannedReason } from '#contract/review-guidelines'
import { NO_GUIDELINES, later, openApp, openQueue, shows, stopTheClock, three, waiting } from '@/test/queue-fixture'

stopTheClock()

const reason = (en: string, ru: string, topic = ''): CannedReason => ({
  topic,
  active: true,
  title: { en, ru },
  text: { en: `${en} is not allowed.`, ru: `${ru}: нельзя.` },
})
const REASONS = [reason('Alcohol', 'Алкоголь', 'Drugs'), reason('Tobacco', 'Табак', 'Drugs'), reason('Wrong price', 'Цена')]
const LINES = [
  { en: 'The price is shown', ru: 'Цена указана' },
  { en: 'The page opens', ru: 'Страница открывается' },
]
const open = (guidelines: Partial<typeof NO_GUIDELINES>) =>
  openQueue(three(), (server) => server.on(reviewGuidelines, () => ({ ...NO_GUIDELINES, ...guidelines })))
const field = () => screen.findByRole('combobox', { name: 'Find a reason' })

/** Fine print 101. */
describe('canned reasons of the white-label', () => {
  it('canned reasons are found by typing, and Enter inserts the editable text in the language of the advertiser', async () => {
    const app = await open({ reasons: REASONS, language: 'ru' })
    await app.user.keyboard('r')
    await waitFor(async () => expect(await field()).toHaveFocus())
    expect(screen.getAllByRole('option', { name: /./ }).map((option) => option.textContent)).toEqual([
      'AlcoholDrugs',
      'TobaccoDrugs',
      'Wrong price',
    ])
    await app.user.keyboard('drugs')
    expect(screen.getAllByRole('option')).toHaveLength(2)
    await app.user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    const words = screen.getByLabelText('In your words')
    expect(words).toHaveValue('Табак: нельзя.')
    expect(await field()).toHaveFocus()
    // Also in another language than the screen's.
    await app.user.keyboard('цена{Enter}')
    expect(words).toHaveValue('Табак: нельзя.\nЦена: нельзя.')
    await app.user.type(words, ' Это важно.')
    await app.user.keyboard('{Control>}{Enter}{/Control}')
    await shows('Campaign two')
    await later()
    expect(app.sent(rejectCampaign)).toMatchObject([{ comment: 'Табак: нельзя.\nЦена: нельзя. Это важно.' }])
  })

  it('canned reasons of the white-label are picked by a click, and Ctrl+Enter in the search sends', async () => {
    const app = await open({ reasons: REASONS })
    await app.user.keyboard('r')
    await app.user.click(within(await screen.findByRole('listbox')).getByText('Alcohol'))
    expect(screen.getByLabelText('In your words')).toHaveValue('Alcohol is not allowed.')
    await app.user.click(await field())
    await app.user.keyboard('{Control>}{Enter}{/Control}')
    await shows('Campaign two')
    await later()
    expect(app.sent(rejectCampaign)).toMatchObject([{ comment: 'Alcohol is not allowed.' }])
  })

  it('canned reasons of the white-label send nothing before one is inserted, and say so when none matches', async () => {
    const app = await open({ reasons: REASONS })
    await app.user.keyboard('r')
    await field()
    await app.user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Tick a reason, or say what has to change.')).toBeVisible()
    await app.user.type(await field(), 'nothing of this')
    expect(screen.getByText('No reason matches. Write it in your words.')).toBeVisible()
    await app.user.keyboard('{Enter}')
    expect(screen.getByLabelText('In your words')).toHaveValue('')
  })

  it('canned reasons of the white-label do not cut off a text that has no room', async () => {
    const long = { ...reason('Long', 'Длинная'), text: { en: 'x'.repeat(1000), ru: 'x'.repeat(1000) } }
    const app = await open({ reasons: [long] })
    await app.user.keyboard('r')
    await field()
    for (let i = 0; i < 4; i++) await app.user.keyboard('{Enter}')
    expect(screen.getByLabelText<HTMLTextAreaElement>('In your words').value).toHaveLength(3002)
    expect(await screen.findByText(/There is no room for this text/)).toBeVisible()
  })

  it('canned reasons of the white-label are offered in the dialog of the campaign itself too', async () => {
    const app = openApp('/campaign/edit/one?tab=basicInfo', 'WL_OWNER', [waiting('one')], (server) =>
      server.on(reviewGuidelines, () => ({ ...NO_GUIDELINES, reasons: REASONS })),
    )
    const panel = within(await screen.findByRole('region', { name: 'Waiting for your decision' }))
    await app.user.click(panel.getByRole('button', { name: 'Reject' }))
    await app.user.click(within(await screen.findByRole('listbox')).getByText('Tobacco'))
    expect(screen.getByLabelText('In your words')).toHaveValue('Tobacco is not allowed.')
  })

  it('canned reasons of the white-label give way to those of the product where there are none', async () => {
    const app = await open({})
    await app.user.keyboard('r')
    expect(await screen.findByRole('checkbox', { name: 'Misleading claim' })).toBeVisible()
    expect(screen.queryByRole('combobox', { name: 'Find a reason' })).toBeNull()
  })

  it('canned reasons of the white-label have no faults of accessibility', async () => {
    const app = await open({ reasons: REASONS, checklist: LINES })
    await app.user.keyboard('r')
    await field()
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })
})

describe('the checklist of the white-label', () => {
  it('says on approval how many lines are open, and stops nothing', async () => {
    const app = await open({ checklist: LINES })
    await app.user.click(await screen.findByRole('checkbox', { name: 'The price is shown' }))
    await app.user.keyboard('a')
    expect(await screen.findByText('Campaign one · 1 line of the checklist is open')).toBeVisible()
    await later()
    expect(app.sent(approveCampaign)).toMatchObject([{ campaign_id: 'one' }])
  })

  it('the checklist of the white-label still has its ticks when an approval is taken back', async () => {
    const app = await open({ checklist: LINES })
    await app.user.click(await screen.findByRole('checkbox', { name: 'The price is shown' }))
    await app.user.keyboard('a')
    await shows('Campaign two')
    await app.user.keyboard('z')
    await shows('Campaign one')
    expect(await screen.findByRole('checkbox', { name: 'The price is shown' })).toBeChecked()
    expect(screen.getByRole('checkbox', { name: 'The page opens' })).not.toBeChecked()
  })

  it('the checklist is awaited: an early key neither approves past open lines nor opens a form without reasons', async () => {
    let arrive: (guidelines: typeof NO_GUIDELINES) => void = () => {}
    const slow = new Promise<typeof NO_GUIDELINES>((resolve) => (arrive = resolve))
    const app = await openQueue(three(), (server) => server.on(reviewGuidelines, () => slow))
    await app.user.keyboard('ar')
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDisabled()
    expect(screen.queryByRole('dialog')).toBeNull()
    arrive({ ...NO_GUIDELINES, checklist: LINES })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Approve' })).toBeEnabled())
    await app.user.keyboard('a')
    expect(await screen.findByText('Campaign one · 2 lines of the checklist are open')).toBeVisible()
  })

  it('says nothing when all are ticked, and no tick is kept for the next submission', async () => {
    const app = await open({ checklist: LINES })
    for (const { en } of LINES) await app.user.click(await screen.findByRole('checkbox', { name: en }))
    await app.user.keyboard('a')
    await shows('Campaign two')
    expect(await screen.findByText('Campaign one', { selector: '[data-description]' })).toBeVisible()
    for (const { en } of LINES) expect(await screen.findByRole('checkbox', { name: en })).not.toBeChecked()
  })
})
