import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { getSpace } from '#contract/accounts'
import { campaignBlame, revisionIndex, revisionSnapshot } from '#contract/audit'
import { getCampaign, pauseCampaign, publishCampaign, runCampaign, toggleArchive } from '#contract/campaign'
import { campaignTotal } from '#contract/reports'
import { campaignStatusHistory } from '#contract/status-history'
import type { Campaign } from '#contract/campaign-body'
import { campaignWith } from '@/test/campaign-form'
import { pageOf, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const AT = '2025-01-05T14:01:00Z'
const PAGES = { form: '/campaign/edit/c1', timeline: '/campaign/timeline/c1' } as const

function open(page: keyof typeof PAGES, stored: Partial<Campaign> = {}, role = 'USER_OWNER') {
  const server = signedInServer({ role })
  const sent: string[] = []
  let status_key = stored.status_key ?? 3
  const campaign = () => campaignWith({ id: 'c1', name: 'Autumn', space_id: 'space-1', ...stored, status_key })
  const answer = (name: string, next: number) => () => {
    sent.push(name)
    status_key = next
    return { id: 'c1', status_key, status_reasons: [], revision: 9, position: '9' }
  }
  server.on(getCampaign, campaign)
  server.on(campaignTotal, () => ({ currency: 'USD' }) as never)
  server.on(revisionIndex, () => [{ revision: 1, author: 'Ada Hassan', author_id: 'ada', commit_date: AT }])
  server.on(campaignStatusHistory, () => pageOf([]))
  server.on(revisionSnapshot, () => pageOf([]))
  server.on(campaignBlame, () => [])
  server.on(getSpace, () => ({
    space_id: 'space-2',
    space_name: 'Lagos Foods',
    whitelabel_id: 'label-1',
    currency: 'NGN',
    house: false,
    created_at: AT,
    suspended: false,
    rewarded_ads_cpm_rate: 1,
    allow_make_payment: true,
  }))
  server.on(pauseCampaign, answer('pause', 41))
  server.on(runCampaign, answer('run', 3))
  server.on(toggleArchive, () => answer('archive', status_key === 5 ? 0 : 5)())
  server.on(publishCampaign, () => ({ ...campaign(), ...answer('publish', 1)() }))
  renderRoute(PAGES[page])
  return { server, sent }
}
const menu = async (item: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Autumn' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}
const undo = () => fireEvent.keyDown(document.body, { key: 'z' })

describe('the header of a campaign', () => {
  it.each(['form', 'timeline'] as const)('pauses it on the %s page, and Z takes that back', async (page) => {
    const { sent } = open(page, {}, page === 'form' ? 'USER_OWNER' : 'WL_OWNER')
    await userEvent.click(await screen.findByRole('button', { name: 'Pause' }))
    expect(await screen.findByRole('button', { name: 'Run' })).toBeVisible()
    undo()
    expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible()
    expect(sent).toEqual(['pause', 'run'])
    undo()
    expect(sent).toHaveLength(2)
  })

  it('archives what waits for review, and Undo submits it again', async () => {
    const { sent } = open('form', { status_key: 1, review: 'pending' })
    await menu('Archive')
    await waitFor(() => expect(sent).toEqual(['archive']))
    await screen.findByText('Campaign archived successfully!')
    undo()
    await waitFor(() => expect(sent).toEqual(['archive', 'archive', 'publish']))
  })

  it('says why it cannot run, instead of sending it', async () => {
    const { sent } = open('form', { status_key: 42 })
    await userEvent.click(await screen.findByRole('button', { name: 'Run' }))
    expect(await screen.findByText(/add budget/i)).toBeVisible()
    expect(sent).toEqual([])
  })

  it('says to staff whose it is, and in which currency', async () => {
    open('timeline', { space_id: 'space-2' }, 'WL_OWNER')
    expect(await screen.findByText('Lagos Foods · NGN')).toBeVisible()
  })

  it('offers readers its pages alone', async () => {
    open('timeline', {}, 'AUDITOR')
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Autumn' }))
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(items).toEqual(['Open the campaign', 'View report', 'Copy link'])
    expect(screen.queryByRole('button', { name: /Run|Pause/ })).toBeNull()
  })

  it('the header of a campaign is in the palette, with the same actions', async () => {
    const { sent } = open('form')
    await screen.findByRole('button', { name: 'Pause' })
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    await userEvent.click(await screen.findByRole('option', { name: 'Pause' }))
    await waitFor(() => expect(sent).toEqual(['pause']))
  })
})
