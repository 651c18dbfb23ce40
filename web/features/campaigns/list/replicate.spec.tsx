import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { createCampaign, getCampaign } from '#contract/campaign'
import { listCampaigns } from '#contract/campaign-list'
import { listAccounts } from '#contract/accounts'
import { toast } from '@/lib/toast'
import { listRowWith, pageOf, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { accountWith } from '@/test/account-fixture'
import { campaignWith } from '@/test/campaign-form'

it('a copy names the fields that it could not take over', async () => {
  const info = vi.spyOn(toast, 'info')
  const server = signedInServer({ role: 'WL_OWNER' })
  const copy = campaignWith({ id: 'campaign-2', name: 'Autumn - Copy' })
  server.on(listCampaigns, () => pageOf([listRowWith()]))
  server.on(getCampaign, () => copy)
  const dropped = ['targeting.segment_audiences', 'has_whitelist', 'budget', 'user_cpx', 'fixed_cpm']
  server.on(createCampaign, () => ({ ...copy, position: '9', dropped }))
  server.on(listAccounts, () => pageOf([accountWith({ space_id: 'space-1', space_name: 'Nile Retail' })]))
  renderRoute('/campaigns')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Autumn' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Replicate' }))
  await screen.findByRole('radio', { name: /Nile Retail/ })
  await userEvent.click(screen.getByRole('button', { name: 'Replicate' }))
  await waitFor(() =>
    expect(info).toHaveBeenCalledWith('Not copied: Audiences, Whitelist, Budget, Bid, Fixed CPM. Set them in the copy.'),
  )
  info.mockRestore()
})
