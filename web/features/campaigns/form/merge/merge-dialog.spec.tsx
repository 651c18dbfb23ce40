import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign, updateCampaign } from '#contract/campaign'
import { refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'

const BASE = campaignWith({
  name: 'Autumn',
  country: 'EGY',
  budget: 20,
  bidding_strategy: { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' },
})

/** Ada opens the campaign, somebody else changes it, and Ada's save names a revision that is no longer the newest. */
async function openBetween(theirs: Partial<Campaign>) {
  const server = signedInServer()
  let stored = BASE
  server.on(getCampaign, () => stored)
  server.on(updateCampaign, ({ body }) => {
    const { revision, ...input } = body as Campaign
    if (revision !== stored.revision) return refusal(140, 409)
    stored = campaignWith({ ...stored, ...input, revision: stored.revision + 1 })
    return { ...stored, position: '9' }
  })
  renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
  const field = async (label: RegExp, text: string) => {
    const input = await screen.findByLabelText(label)
    await userEvent.clear(input)
    await userEvent.type(input, text)
  }
  return {
    server,
    field,
    theyChange: (patch = theirs) => {
      stored = campaignWith({ ...stored, ...patch, revision: stored.revision + 1 })
    },
    save: () => userEvent.click(screen.getByRole('button', { name: 'Save & Next' })),
    dialog: () => screen.findByRole('dialog', { name: 'Changed by someone else' }),
    stored: () => stored,
  }
}
const merge = (dialog: HTMLElement) => within(dialog).getByRole('button', { name: 'Save merged' })

describe('a save after somebody else has saved', () => {
  it('a change of only one of the two editors is kept, reported, and saved on the newest version', async () => {
    const { field, theyChange, save, dialog, stored } = await openBetween({ name: 'Winter' })
    await field(/Daily budget/, '35')
    theyChange()
    await save()
    const shown = await dialog()
    await within(shown).findByText('Only you changed: kept')
    expect(within(shown).getByText('Only they changed: taken over')).toBeVisible()
    expect(shown).toHaveTextContent('35.00')
    expect(shown).toHaveTextContent('Winter')
    await userEvent.click(merge(shown))
    await waitFor(() => expect(stored()).toMatchObject({ name: 'Winter', budget: 35, revision: 5 }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('one value is chosen of a field that both editors changed, and nothing is saved before', async () => {
    const { server, field, theyChange, save, dialog, stored } = await openBetween({ name: 'Winter', budget: 50 })
    await field(/Daily budget/, '35')
    await field(/Campaign name/, 'Spring')
    theyChange()
    await save()
    const shown = await dialog()
    const budget = await within(shown).findByRole('group', { name: 'Daily budget' })
    expect(within(budget).getAllByRole('radio')).toHaveLength(2)
    expect(budget).toHaveTextContent('Was: 20.00')
    expect(merge(shown)).toBeDisabled()
    expect(shown).toHaveTextContent('2 choices left')
    await userEvent.click(within(budget).getByRole('radio', { name: /Yours.*35/ }))
    const name = within(shown).getByRole('group', { name: 'Campaign name' })
    await userEvent.click(within(name).getByRole('radio', { name: /Theirs.*Winter/ }))
    expect(server.calls(updateCampaign)).toHaveLength(1)
    await userEvent.click(merge(shown))
    await waitFor(() => expect(stored()).toMatchObject({ name: 'Winter', budget: 35 }))
  })

  it.each([
    ['Keep all mine', { name: 'Spring', budget: 35 }],
    ['Take all theirs', { name: 'Winter', budget: 50 }],
  ])('%s answers everything at once', async (button, expected) => {
    const { field, theyChange, save, dialog, stored } = await openBetween({ name: 'Winter', budget: 50 })
    await field(/Daily budget/, '35')
    await field(/Campaign name/, 'Spring')
    theyChange()
    await save()
    const shown = await dialog()
    await userEvent.click(await within(shown).findByRole('button', { name: button }))
    await userEvent.click(merge(shown))
    await waitFor(() => expect(stored()).toMatchObject({ ...expected, revision: 5 }))
  })

  it('going back to the form loses nothing, stores nothing and returns the focus to the save', async () => {
    const { server, field, theyChange, save, dialog, stored } = await openBetween({ name: 'Winter' })
    await field(/Daily budget/, '35')
    theyChange()
    await save()
    await dialog()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByLabelText(/Daily budget/)).toHaveValue('35')
    expect(stored()).toMatchObject({ name: 'Winter', budget: 20 })
    expect(server.calls(updateCampaign)).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Save' })).toHaveFocus()
  })

  it('another save by somebody else while choosing is asked about again, with what was chosen as mine', async () => {
    const { field, theyChange, save, dialog, stored } = await openBetween({ name: 'Winter' })
    await field(/Daily budget/, '35')
    theyChange()
    await save()
    const first = await dialog()
    await within(first).findByText('Winter')
    theyChange({ budget: 70 })
    await userEvent.click(merge(first))
    const budget = await screen.findByRole('group', { name: 'Daily budget' })
    await userEvent.click(within(budget).getByRole('radio', { name: /Yours.*35/ }))
    await userEvent.click(merge(await dialog()))
    await waitFor(() => expect(stored()).toMatchObject({ name: 'Winter', budget: 35, revision: 6 }))
  })
})
