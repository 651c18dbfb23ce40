import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { createCampaign, getCampaign } from '../../../api/contract/campaign.ts'
import { listCampaigns } from '../../../api/contract/campaign-list.ts'
import { toast } from '../../lib/toast.ts'
import { listRowWith, pageOf, signedInServer } from '../../test/fake-server.ts'
import { renderRoute } from '../../test/render-route.tsx'
import { campaignWith } from './form/form-fixture.tsx'

it('a copy names the fields that it could not take over', async () => {
  const info = vi.spyOn(toast, 'info')
  const server = signedInServer()
  const copy = campaignWith({ id: 'campaign-2', name: 'Autumn - Copy' })
  server.on(listCampaigns, () => pageOf([listRowWith()]))
  server.on(getCampaign, () => copy)
  const dropped = ['targeting.segment_audiences', 'has_whitelist', 'budget', 'user_cpx', 'fixed_cpm']
  server.on(createCampaign, () => ({ ...copy, position: '9', dropped }))
  renderRoute('/campaigns')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Autumn' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Replicate' }))
  await waitFor(() => expect(info).toHaveBeenCalledWith('Not copied: Audiences, Whitelist, Budget, Bid, Fixed CPM'))
  info.mockRestore()
})
