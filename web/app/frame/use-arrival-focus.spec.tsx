import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { campaignWith } from '@/test/campaign-form'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

async function open() {
  signedInServer().on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn' }))
  const { router } = renderRoute('/campaigns')
  await screen.findByRole('heading', { name: 'Campaigns' })
  return router
}

it('focuses the heading of a page after a navigation', async () => {
  const router = await open()
  await router.navigate({ to: '/reports', search: { campaignId: 'campaign-1' } })
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Report' })).toHaveFocus())
})

it('focuses the panel of the form rather than its heading', async () => {
  const router = await open()
  await router.navigate({ to: '/campaign/edit/$id', params: { id: 'campaign-1' }, search: { tab: 'basicInfo' } })
  const name = await screen.findByLabelText(/Campaign name/)
  await waitFor(() => expect(document.activeElement).toContainElement(name))
  expect(document.activeElement).not.toContainElement(screen.getByRole('heading', { level: 1 }))
})
