import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { createCampaign, getCampaign, publishCampaign, toggleArchive, updateCampaign } from '#contract/campaign'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'
import { turns } from '@/test/time'

const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }
const stored = (patch: Partial<Campaign> = {}) =>
  campaignWith({ id: 'campaign-1', name: 'Autumn', country: 'EG', budget: 20, bidding_strategy, ...patch })
const answered = (patch: Partial<Campaign> = {}) => ({ ...stored({ revision: 4, ...patch }), position: '9' })

const EDIT = '/campaign/edit/campaign-1?tab=basicInfo'
const budget = () => screen.findByLabelText('Daily budget')
const button = (name: string) => screen.findByRole('button', { name })
const retype = async (text: string) => {
  const field = await budget()
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

/** A form whose saves wait until the test answers them. */
async function open(address = EDIT) {
  const server = signedInServer()
  server.on(getCampaign, () => stored())
  const waiting: ((campaign: ReturnType<typeof answered>) => void)[] = []
  for (const endpoint of [updateCampaign, createCampaign, publishCampaign])
    server.on(endpoint, () => new Promise((resolve) => void waiting.push(resolve)))
  const page = renderRoute(address)
  await button('Publish')
  return {
    ...page,
    server,
    answer: async (patch: Partial<Campaign> = {}) => {
      await waitFor(() => expect(waiting).not.toHaveLength(0))
      const saved = answered(patch)
      server.on(getCampaign, () => saved)
      waiting.shift()?.(saved)
    },
  }
}

describe('input while a save is on its way', () => {
  it('stays, is marked as unsaved, and goes with the next save', async () => {
    const { answer, server } = await open()
    await retype('31000')
    await userEvent.click(await button('Save & Next'))
    await retype('32000')
    await answer({ budget: 31_000 })
    await userEvent.click(await screen.findByRole('link', { name: 'Campaign setup' }))
    await waitFor(async () => expect(await budget()).toHaveValue('32000'))
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    await userEvent.click(await button('Save & Next'))
    await waitFor(() => expect(server.calls(updateCampaign)).toHaveLength(2))
    expect(server.calls(updateCampaign)[1]?.body).toMatchObject({ budget: 32_000, revision: 4 })
  })

  it('stays when the save creates the campaign', async () => {
    const { answer, address } = await open('/campaign/create?replicatedId=campaign-1')
    await userEvent.click(await button('Save & Next'))
    await retype('77')
    await answer({ id: 'campaign-2', name: 'Autumn - Copy', budget: 20 })
    await waitFor(() => expect(address()).toContain('/campaign/edit/campaign-2'))
    await userEvent.click(await screen.findByRole('link', { name: 'Campaign setup' }))
    await waitFor(async () => expect(await budget()).toHaveValue('77'))
    expect(screen.getByText('Unsaved changes')).toBeVisible()
  })

  it('keeps the form open when the save publishes', async () => {
    const { answer, address } = await open()
    await userEvent.click(await button('Publish'))
    await retype('77')
    await answer({ status_key: 1 })
    await waitFor(() => expect(screen.getByText('Unsaved changes')).toBeVisible())
    expect(await budget()).toHaveValue('77')
    expect(address()).toContain('/campaign/edit/campaign-1')
  })

  it('does not add a new banner twice that was renamed meanwhile', async () => {
    const banner = (id: string, creative_name: string) => ({
      id,
      width: 300,
      height: 250,
      file_id: 'file-1',
      url: '/file-1',
      creative_name,
      type_key: 1,
      size_key: 106,
      creativeServingDecision: null,
      exchange_decisions: {},
    })
    const server = signedInServer()
    server.on(getCampaign, () => stored({ visuals: { banners: [banner('old', 'one')] } }))
    let answer: (campaign: ReturnType<typeof answered>) => void = () => {}
    server.on(createCampaign, () => new Promise((resolve) => (answer = resolve)))
    const { address } = renderRoute('/campaign/create?replicatedId=campaign-1&tab=bannerAds')
    const name = await screen.findByLabelText('Creative name')
    await userEvent.click(await button('Save & Next'))
    await userEvent.type(name, '_2')
    const saved = answered({ id: 'campaign-2', visuals: { banners: [banner('new', 'one')] } })
    server.on(getCampaign, () => saved)
    answer(saved)
    await waitFor(() => expect(address()).toContain('/campaign/edit/campaign-2'))
    await userEvent.click(await screen.findByRole('link', { name: /Banner ads/ }))
    await waitFor(() =>
      expect(screen.getAllByLabelText('Creative name').map((one) => (one as HTMLInputElement).value)).toEqual(['one_2']),
    )
  })
})

it('a save that ends after its page was left does not bring the user back', async () => {
  const { answer, address } = await open()
  await retype('31000')
  await userEvent.click(await button('Save & Next'))
  await userEvent.click(await button('Cancel'))
  await userEvent.click(await button('Leave'))
  await waitFor(() => expect(address()).toBe('/campaigns'))
  await answer({ budget: 31_000 })
  await turns()
  expect(address()).toBe('/campaigns')
})

describe('an archived campaign', () => {
  it('an archived campaign can be read but not changed, says why, and can be brought back', async () => {
    const server = signedInServer()
    server.on(getCampaign, () => stored({ status_key: 5 }))
    server.on(toggleArchive, () => {
      server.on(getCampaign, () => stored({ revision: 4, status_key: 41 }))
      return { id: 'campaign-1', status_key: 41, status_reasons: [], revision: 4, position: '9' }
    })
    renderRoute(EDIT)
    expect(await screen.findByText('This campaign is archived. Unarchive it to make changes.')).toBeVisible()
    expect(await budget()).toHaveAttribute('readonly')
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
    await userEvent.click(await button('Unarchive'))
    expect(await button('Publish')).toBeVisible()
    expect(await budget()).not.toHaveAttribute('readonly')
    expect(server.calls(toggleArchive)[0]?.body).toBe('campaign-1')
  })

  it('offers nothing to those who may only read', async () => {
    const server = signedInServer({ role: 'AUDITOR' })
    server.on(getCampaign, () => stored({ status_key: 5 }))
    renderRoute(EDIT)
    expect(await screen.findByText('This campaign is archived.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Unarchive' })).toBeNull()
  })
})

describe('Save', () => {
  it('stays in its section, and so does Ctrl+S', async () => {
    const { answer, address, server } = await open()
    await retype('31000')
    await userEvent.click(await button('Save'))
    expect(await button('Saving…')).toBeVisible()
    await answer({ budget: 31_000 })
    await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull())
    expect(address()).toContain('tab=basicInfo')

    await retype('32000')
    await userEvent.keyboard('{Control>}s{/Control}')
    await answer({ budget: 32_000 })
    await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull())
    expect(address()).toContain('tab=basicInfo')
    expect(server.calls(updateCampaign).map(({ body }) => body)).toMatchObject([{ budget: 31_000 }, { budget: 32_000 }])
  })

  it('Save of a new campaign opens the same section of the stored one', async () => {
    const { answer, address } = await open('/campaign/create?replicatedId=campaign-1&tab=basicInfo')
    await userEvent.click(await button('Save'))
    await answer({ id: 'campaign-2' })
    await waitFor(() => expect(address()).toContain('/campaign/edit/campaign-2'))
    expect(address()).toContain('tab=basicInfo')
  })

  it('Save is offered once in the last section, which has no next one', async () => {
    await open('/campaign/edit/campaign-1?tab=geography')
    expect(await button('Save')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Save & Next' })).toBeNull()
  })
})
